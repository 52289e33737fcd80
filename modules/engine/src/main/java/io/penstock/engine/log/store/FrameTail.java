package io.penstock.engine.log.store;

import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest frames of a followed stream, in memory, so that followers that keep up share them and read neither the
 * journal nor the database. It never blocks the writer: a follower that has fallen behind reads from the journal or the
 * database. Guarded by the log's lock.
 */
final class FrameTail {

    private static final Frame[] NONE = {};
    private static final int FEW = 64;

    private Frame[] ring = NONE;
    private long firstSeq;
    private long nextSeq;

    /** @param storedBytes the frame's size in the log: a large frame is not kept, and the tail starts anew after it */
    void add(Frame frame, int storedBytes) {
        if (storedBytes > Limits.TAIL_FRAME_BYTES) {
            clear();
            return;
        }
        if (frame.seq() != nextSeq) {
            firstSeq = frame.seq();
        }
        nextSeq = frame.seq() + 1;
        if (nextSeq - firstSeq > ring.length && ring.length < Limits.TAIL_FRAMES) {
            grow();
        }
        ring[slot(frame.seq())] = frame;
        firstSeq = Math.max(firstSeq, nextSeq - ring.length);
    }

    /** Most streams have few frames while they are followed. */
    private void grow() {
        Frame[] larger = new Frame[Math.max(FEW, 2 * ring.length)];
        for (long seq = firstSeq; seq < nextSeq - 1; seq++) {
            larger[(int) (seq % larger.length)] = ring[slot(seq)];
        }
        ring = larger;
    }

    /** Called when the last follower has left. */
    void clear() {
        ring = NONE;
        firstSeq = 0;
        nextSeq = 0;
    }

    /** The frames from one seq to another, exclusive; null unless all of them are here. */
    @Nullable
    List<Frame> read(long fromSeq, long toSeq) {
        if (fromSeq < firstSeq || toSeq > nextSeq || fromSeq >= toSeq) {
            return null;
        }
        if (toSeq == fromSeq + 1) {
            return List.of(ring[slot(fromSeq)]);
        }
        var frames = new Frame[(int) (toSeq - fromSeq)];
        Arrays.setAll(frames, i -> ring[slot(fromSeq + i)]);
        return List.of(frames);
    }

    private int slot(long seq) {
        return (int) (seq % ring.length);
    }
}
