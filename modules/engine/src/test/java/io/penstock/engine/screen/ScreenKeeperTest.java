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

final class ScreenKeeperTest {

    private static final StreamId STREAM = StreamId.task("t");

    private final ScreenKeeper keeper = new ScreenKeeper();
    private final FrameListener listener = keeper.of(STREAM);

    /** As of a task that waited in the queue when its server was stopped: its first frames were written before. */
    @Test
    void aTerminalIsHeardFromItsFirstOutputOnWhoeverWroteHowItBegan() {
        accepted(3, new TaskNotice("started", "by another server"));
        assertEquals(-1, keeper.written("t"));
        accepted(4, output(0, 10));
        Frame beside = accepted(5, new TaskNotice("beside", "output"));
        accepted(6, output(10, 20));
        assertEquals(30, keeper.written("t"));
        assertEquals(List.of(beside), keeper.beside("t", 4, 6));
        assertEquals(List.of(new Heard.Change(4, 6, output(10, 20))), keeper.since("t", 4));
        // What was before, the log has.
        assertNull(keeper.beside("t", 3, 6));
        assertEquals(List.of(), keeper.since("t", 3));
    }

    @Test
    void whatHasNoTerminalIsNotHeard() {
        accepted(3, new ToolTaskOutputDelta(Channel.STDOUT, 0, 10, 10));
        assertEquals(-1, keeper.written("t"));
        assertNull(keeper.beside("t", 3, 3));
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
