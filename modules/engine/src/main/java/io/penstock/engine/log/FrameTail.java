package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest frames of a stream that is being followed, so that followers who keep up share them and read neither journal nor
 * database. It holds nothing back: a follower that has fallen behind it reads from there. Guarded by the log's lock.
 */
final class FrameTail {

    private static final Frame[] NONE = {};
    private static final int FEW = 64;

    private Frame[] ring = NONE;
    private long firstSeq;
    private long nextSeq;

    /** @param storedBytes what the frame takes in the log: a large one is not kept, and the tail begins anew behind it */
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
        ring[place(frame.seq())] = frame;
        firstSeq = Math.max(firstSeq, nextSeq - ring.length);
    }

    /** Most streams have few frames while they are followed. */
    private void grow() {
        Frame[] larger = new Frame[Math.max(FEW, 2 * ring.length)];
        for (long seq = firstSeq; seq < nextSeq - 1; seq++) {
            larger[(int) (seq % larger.length)] = ring[place(seq)];
        }
        ring = larger;
    }

    /** Nobody follows. */
    void clear() {
        ring = NONE;
        firstSeq = 0;
        nextSeq = 0;
    }

    /** From one seq to another, without that; null unless the first of them is here. */
    @Nullable
    List<Frame> read(long fromSeq, long toSeq) {
        if (fromSeq < firstSeq || toSeq > nextSeq || fromSeq >= toSeq) {
            return null;
        }
        if (toSeq == fromSeq + 1) {
            return List.of(ring[place(fromSeq)]);
        }
        var frames = new Frame[(int) (toSeq - fromSeq)];
        Arrays.setAll(frames, i -> ring[place(fromSeq + i)]);
        return List.of(frames);
    }

    private int place(long seq) {
        return (int) (seq % ring.length);
    }
}
