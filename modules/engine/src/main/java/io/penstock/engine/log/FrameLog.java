package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/**
 * The frame streams of a node. An accepted frame survives the death of this process, and no reader sees a frame before
 * it is accepted. All methods may be called from any thread.
 */
public interface FrameLog {

    /** Begins a stream that is known to be new because its name has just been generated here. Needs no database. */
    Future<StreamWriter> create(StreamId stream);

    /**
     * Begins a stream, or continues one that has no writer. Fails with {@code STREAM_HAS_WRITER} if it has one: a
     * second writer is refused, not merged.
     */
    Future<StreamWriter> open(StreamId stream);

    /** Like {@link #open}, but replaces an existing writer, whose later appends fail with {@code WRITER_FENCED}. */
    Future<StreamWriter> takeOver(StreamId stream);

    /**
     * Reads the accepted frames from {@code fromSeq} on, at most {@code maxFrames}, in order and without a gap. It may
     * return fewer than there are; an empty page means that there is none yet. Fails with {@code STREAM_NOT_FOUND} if
     * the stream was never begun.
     */
    Future<Page> read(StreamId stream, long fromSeq, int maxFrames);

    /**
     * The seq of the first frame that does not exist yet: all below can be read. Fails with {@code STREAM_NOT_FOUND} if
     * the stream was never begun.
     */
    Future<Long> nextSeq(StreamId stream);

    /**
     * All frames from {@code fromSeq} on, then new ones as they are accepted, without gaps or duplicates. Delivered on
     * the caller's Vert.x context. A paused follower delays no one else; it resumes where it stopped.
     */
    FrameFollower follow(StreamId stream, long fromSeq);

    /** Stops accepting, waits until the accepted frames are safe, and releases all resources. */
    Future<Void> close();
}
