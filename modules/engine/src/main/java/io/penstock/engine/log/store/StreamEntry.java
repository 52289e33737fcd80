package io.penstock.engine.log.store;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.StreamId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The state of a stream in use. Guarded by the log's lock; dropped when nothing needs it. */
final class StreamEntry {

    private static final FrameFollower[] NONE = {};

    final StreamId stream;

    /** Its number in the database. */
    final long streamNo;

    /** All frames below are in Postgres; the others are only in the journal. */
    long drainedSeq;

    /**
     * Journal positions of the newest frames: the undrained ones and, while the stream has a writer, also older ones
     * for as long as the journal holds them.
     */
    private final PositionRing positions = new PositionRing();

    /** The seq of the first of the {@link #positions}. */
    private long firstHeldSeq;

    final FrameTail tail = new FrameTail();

    /** Whether the stream's beginning has not reached the database yet. */
    boolean undrainedBeginning;

    @Nullable
    StreamWriter writer;

    /** Appends that wait for room. */
    int waiting;

    /** Replaced under the lock, so that followers to wake can be read without it. */
    volatile FrameFollower[] followers = NONE;

    StreamEntry(StreamId stream, long streamNo, long nextSeq, boolean undrainedBeginning) {
        this.stream = stream;
        this.streamNo = streamNo;
        this.drainedSeq = nextSeq;
        this.firstHeldSeq = nextSeq;
        this.undrainedBeginning = undrainedBeginning;
    }

    long nextSeq() {
        return firstHeldSeq + positions.size();
    }

    private int undrained() {
        return (int) (nextSeq() - drainedSeq);
    }

    /** Records that the next frame is in the journal at this position. */
    void appended(long position) {
        positions.add(position);
    }

    /** Whether the journal holds the frame, drained or not, as of the last update. */
    boolean isHeld(long seq) {
        return seq >= firstHeldSeq;
    }

    /** The journal positions of consecutive frames, the first of which must be held. */
    long[] positions(long fromSeq, int count) {
        return positions.copy((int) (fromSeq - firstHeldSeq), count);
    }

    /** The first seq that readers may not see yet, if they may see what lies below this journal position. */
    long visibleSeq(long belowPosition) {
        long visible = nextSeq();
        while (visible > drainedSeq && positions.get((int) (visible - 1 - firstHeldSeq)) >= belowPosition) {
            visible--;
        }
        return visible;
    }

    void drainedTo(long seq) {
        drainedSeq = seq;
        if (writer == null) {
            forgetDrained();
        }
    }

    /** A stream without a writer is read from the database: no follower reads it as it grows. */
    void forgetDrained() {
        forget((int) (drainedSeq - firstHeldSeq));
    }

    /** Drops positions below this one, which the journal no longer holds. */
    void heldFrom(long position) {
        int dropped = 0;
        while (dropped < drainedSeq - firstHeldSeq && positions.get(dropped) < position) {
            dropped++;
        }
        forget(dropped);
    }

    private void forget(int count) {
        positions.dropFirst(count);
        firstHeldSeq += count;
    }

    void add(FrameFollower follower) {
        followers = Arrays.copyOf(followers, followers.length + 1);
        followers[followers.length - 1] = follower;
    }

    void remove(FrameFollower follower) {
        followers = Arrays.stream(followers).filter(f -> f != follower).toArray(FrameFollower[]::new);
        if (followers.length == 0) {
            followers = NONE;
            tail.clear();
        }
    }

    /** Whether frames are or may be added to it that the database does not have yet. */
    boolean isWritten() {
        return writer != null || undrainedBeginning || undrained() > 0 || waiting > 0;
    }

    boolean isNeeded() {
        return isWritten() || followers.length > 0;
    }
}
