package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the log knows of a stream that is in use. Guarded by the log's lock; dropped when nothing needs it. */
final class StreamEntry {

    private static final FrameFollower[] NOBODY = {};

    final StreamId stream;

    /** Its number in the database. */
    final long streamNo;

    /** All frames below are in Postgres; those from here on are in the journal, at {@link #undrained}. */
    long drainedSeq;

    final PositionRing undrained = new PositionRing();

    final FrameTail tail = new FrameTail();

    /** Whether the database does not know the stream yet. */
    boolean undrainedBeginning;

    @Nullable
    StreamWriter writer;

    /** Appends that wait for room. */
    int waiting;

    /** Replaced under the lock; those to be woken may be looked up without it. */
    volatile FrameFollower[] followers = NOBODY;

    StreamEntry(StreamId stream, long streamNo, long nextSeq, boolean undrainedBeginning) {
        this.stream = stream;
        this.streamNo = streamNo;
        this.drainedSeq = nextSeq;
        this.undrainedBeginning = undrainedBeginning;
    }

    long nextSeq() {
        return drainedSeq + undrained.size();
    }

    /** The first seq that readers may not see yet, where they see what lies below this journal position. */
    long visibleSeq(long belowPosition) {
        int visible = undrained.size();
        while (visible > 0 && undrained.get(visible - 1) >= belowPosition) {
            visible--;
        }
        return drainedSeq + visible;
    }

    void drainedTo(long seq) {
        undrained.dropFirst((int) (seq - drainedSeq));
        drainedSeq = seq;
    }

    void add(FrameFollower follower) {
        followers = Arrays.copyOf(followers, followers.length + 1);
        followers[followers.length - 1] = follower;
    }

    void remove(FrameFollower follower) {
        followers = Arrays.stream(followers).filter(f -> f != follower).toArray(FrameFollower[]::new);
        if (followers.length == 0) {
            followers = NOBODY;
            tail.clear();
        }
    }

    boolean isNeeded() {
        return writer != null || undrainedBeginning || undrained.size() > 0 || waiting > 0 || followers.length > 0;
    }
}
