package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/**
 * The streams of frames of a node. What it accepts, it keeps: an accepted frame survives the death of this process, and no
 * reader sees a frame before it is accepted. All methods may be called from any thread.
 */
public interface FrameLog {

    /**
     * Begins a stream that is known to be new, because its name was made up here a moment ago. Needs no database.
     */
    Future<StreamWriter> begin(StreamId stream);

    /**
     * Begins a stream, or goes on with one that has no writer now. Fails with {@code STREAM_HAS_WRITER} if it has one: a
     * second writer is refused, not merged.
     */
    Future<StreamWriter> open(StreamId stream);

    /** As {@link #open}, but where there is a writer it is replaced: its later appends fail with {@code WRITER_FENCED}. */
    Future<StreamWriter> takeOver(StreamId stream);

    /**
     * The accepted frames from {@code fromSeq} on, at most {@code maxFrames}, in order and without a gap. It may give fewer
     * than there are; none means that there is none yet. Fails with {@code STREAM_NOT_FOUND} for a stream that nobody began.
     */
    Future<Page> read(StreamId stream, long fromSeq, int maxFrames);

    /**
     * The seq of the first frame that is not there yet: all below can be read. Fails with {@code STREAM_NOT_FOUND} for a stream
     * that nobody began.
     */
    Future<Long> nextSeq(StreamId stream);

    /**
     * All frames from {@code fromSeq} on, then those to come: no gap, no double. Delivered on the Vert.x context of the
     * caller. A follower that is paused holds nobody up; it reads on from where it stood.
     */
    FrameFollower follow(StreamId stream, long fromSeq);

    /** Stops accepting, waits until what was accepted is safe, and lets go of everything. */
    Future<Void> close();
}
