package io.penstock.engine.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScreenUpdaterTest {

    private static final StreamId STREAM = StreamId.task("t");

    private final ScreenUpdater updater = new ScreenUpdater();
    private final FrameListener listener = updater.of(STREAM);

    /** As for a task that was queued when its server stopped: the previous server wrote its first frames. */
    @Test
    void terminalIsKnownFromItsFirstOutput() {
        accepted(3, new TaskNotice("started", "by another server"));
        assertEquals(-1, updater.written("t"));
        accepted(4, output(0, 10));
        Frame beside = accepted(5, new TaskNotice("beside", "output"));
        accepted(6, output(10, 20));
        assertEquals(30, updater.written("t"));
        assertEquals(List.of(beside), updater.nonOutputFrames("t", 4, 6));
        assertEquals(List.of(new RecentChanges.Change(4, 6, output(10, 20))), updater.since("t", 4));
        // Earlier frames are in the log only.
        assertNull(updater.nonOutputFrames("t", 3, 6));
        assertEquals(List.of(), updater.since("t", 3));
    }

    @Test
    void taskWithoutATerminalIsIgnored() {
        accepted(3, new ToolTaskOutputDelta(Channel.STDOUT, 0, 10, 10));
        assertEquals(-1, updater.written("t"));
        assertNull(updater.nonOutputFrames("t", 3, 3));
    }

    private static ToolTaskOutputDelta output(long offset, int bytes) {
        return new ToolTaskOutputDelta(Channel.PTY, offset, bytes, offset + bytes);
    }

    private Frame accepted(long seq, FrameBody body) {
        var frame = new Frame(STREAM, seq, 1, body);
        listener.accepted(frame);
        return frame;
    }
}
