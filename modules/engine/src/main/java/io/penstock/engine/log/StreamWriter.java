package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/** The only writer of a stream. */
public interface StreamWriter extends AutoCloseable {

    StreamId stream();

    /** The seq that the next appended frame gets. */
    long nextSeq();

    /**
     * Appends a frame and completes when it is accepted, usually at once. While the log has no room, the future stays
     * open, and frames are accepted in append order when there is room again. Too many further appends fail with {@code
     * LOG_BACKLOGGED}; nothing of a failed append is recorded.
     */
    Future<Frame> append(long timestampMs, FrameBody body);

    /** Releases the stream, so that another writer may open it. */
    @Override
    void close();
}
