package io.penstock.engine.log.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameTailTest {

    private static final StreamId STREAM = StreamId.task("t");

    private final FrameTail tail = new FrameTail();

    private static Frame frame(long seq) {
        return new Frame(STREAM, seq, 1, new ToolTaskOutputDelta(Channel.PTY, seq, 1, seq + 1));
    }

    @Test
    void tailReturnsItsNewestFramesOnly() {
        var random = new Random(1);
        var all = new ArrayList<Frame>();
        int gaveSome = 0;
        int first = 0;
        for (int seq = 0; seq < 20_000; seq++) {
            all.add(frame(seq));
            int wish = random.nextInt(5_000);
            if (wish == 0) {
                // There was no follower when this frame was accepted.
                tail.clear();
                first = seq + 1;
            } else if (wish == 1) {
                tail.add(all.get(seq), Limits.TAIL_FRAME_BYTES + 1);
                first = seq + 1;
            } else {
                tail.add(all.get(seq), 30);
                first = Math.max(first, seq + 1 - Limits.TAIL_FRAMES);
            }
            int from = Math.max(0, seq - random.nextInt(2 * Limits.TAIL_FRAMES));
            int to = from + random.nextInt(seq + 2 - from);
            if (from >= first && from < to) {
                assertEquals(all.subList(from, to), tail.read(from, to));
                gaveSome++;
            } else {
                assertNull(tail.read(from, to), "from " + from + " to " + to + " with the tail from " + first);
            }
        }
        assertEquals(true, gaveSome > 100, "only " + gaveSome);
    }

    @Test
    void tailStartsAnewAfterUnfollowedFrames() {
        tail.add(frame(0), 30);
        tail.add(frame(1), 30);
        // 2 and 3 were accepted without a follower.
        tail.add(frame(4), 30);
        assertNull(tail.read(1, 5));
        assertNotNull(tail.read(4, 5));
    }
}
