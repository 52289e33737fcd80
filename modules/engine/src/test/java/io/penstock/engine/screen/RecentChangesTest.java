package io.penstock.engine.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RecentChangesTest {

    private static final StreamId STREAM = StreamId.task("t");

    private final RecentChanges changes = new RecentChanges();

    /** The steps of a screen: the output shown before each resize, and at the end. */
    private static List<String> steps(List<FrameBody> bodies) {
        var steps = new ArrayList<String>();
        long shown = 0;
        for (FrameBody body : bodies) {
            if (body instanceof ToolTaskOutputDelta delta) {
                shown = delta.bytesStored();
            } else if (body instanceof ToolTaskResized size) {
                steps.add(size.rows() + " rows after " + shown);
            }
        }
        steps.add("end after " + shown);
        return steps;
    }

    @Test
    void recentChangesGiveTheSameScreenAsAllFrames() {
        var random = new Random(7);
        var all = new ArrayList<Frame>();
        long output = 0;
        int compared = 0;
        int forgotten = 0;
        for (int seq = 0; seq < 3_000; seq++) {
            int kind = random.nextInt(20);
            FrameBody body;
            if (kind == 0) {
                body = new ToolTaskResized(1 + random.nextInt(50), 80, Actor.SERVER);
            } else if (kind < 3) {
                body = new TaskNotice("of_no_matter", "to a screen");
            } else {
                int bytes = 1 + random.nextInt(64 * 1024);
                body = new ToolTaskOutputDelta(Channel.PTY, output, bytes, output + bytes);
                output += bytes;
            }
            all.add(new Frame(STREAM, seq, 1, body));
            changes.accept(all.get(seq));
            int from = Math.max(0, seq - random.nextInt(2_000));
            List<RecentChanges.Change> since = changes.since(from);
            if (since.isEmpty()) {
                forgotten++;
                continue;
            }
            compared++;
            assertTrue(since.getFirst().firstSeq() <= from);
            assertEquals(seq, since.getLast().lastSeq());
            for (int i = 1; i < since.size(); i++) {
                assertEquals(since.get(i - 1).lastSeq() + 1, since.get(i).firstSeq());
            }
            // Starts at the first change, which may include frames before the requested one.
            List<Frame> frames = all.subList((int) since.getFirst().firstSeq(), seq + 1);
            var changes = new ArrayList<FrameBody>();
            for (RecentChanges.Change change : since) {
                FrameBody known = change.body();
                if (known != null) {
                    changes.add(known);
                }
            }
            assertEquals(steps(frames.stream().map(Frame::body).toList()), steps(changes));
        }
        assertTrue(compared > 1_000 && forgotten > 100, compared + " compared, " + forgotten + " too long ago");
        assertEquals(List.of(), changes.since(3_000));
    }

    @Test
    void otherFramesAreKnownWhileInMemory() {
        assertNull(changes.nonOutputFrames(0, 10));
        assertEquals(-1, changes.written());
        var all = new ArrayList<Frame>();
        for (int seq = 5; seq < 500; seq++) {
            all.add(new Frame(
                    STREAM,
                    seq,
                    1,
                    seq % 5 == 0
                            ? new TaskNotice("number", String.valueOf(seq))
                            : new ToolTaskOutputDelta(Channel.PTY, 10L * seq, 10, 10L * seq + 10)));
            changes.accept(all.getLast());
        }
        assertEquals(5_000, changes.written());
        // Of 99 such frames 64 are kept; frames before the first accepted one are unknown.
        assertNull(changes.nonOutputFrames(4, 499));
        assertNull(changes.nonOutputFrames(175, 499));
        for (int from : new int[] {176, 180, 181, 400, 499}) {
            for (int last : new int[] {from, Math.min(from + 4, 499), Math.min(from + 50, 499), 499}) {
                assertEquals(
                        all.stream()
                                .filter(frame -> frame.seq() >= from && frame.seq() <= last)
                                .filter(frame -> frame.body() instanceof TaskNotice)
                                .toList(),
                        changes.nonOutputFrames(from, last));
            }
        }
        // The log may have the frame earlier: an empty answer would make a reader miss it.
        assertNull(changes.nonOutputFrames(400, 500));
    }
}
