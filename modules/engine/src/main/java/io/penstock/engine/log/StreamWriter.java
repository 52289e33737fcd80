package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/** The one writer of a stream. */
public interface StreamWriter extends AutoCloseable {

    StreamId stream();

    /** The seq that the next appended frame gets. */
    long nextSeq();

    /**
     * Appends a frame and completes when it is accepted, mostly at once. While the log holds callers back, the future is
     * open, and frames are accepted in the order of their appends when there is room again. Whoever goes on appending then
     * is told so with {@code LOG_BACKLOGGED}; nothing of a failed append is recorded.
     */
    Future<Frame> append(long timestampMs, FrameBody body);

    /** Lets go of the stream, so that another may open it. */
    @Override
    void close();
}
