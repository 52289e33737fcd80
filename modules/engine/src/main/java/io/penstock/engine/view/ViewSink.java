package io.penstock.engine.view;

import io.penstock.frames.Frame;
import java.io.IOException;
import java.util.List;

/**
 * Receives the frames of one view session and writes them to one viewer in its wire format. All methods but {@link #encode} are called
 * on the session's context.
 *
 * @param <M> the encoded form of a batch
 */
public interface ViewSink<M> {

    /** A viewer that has waited longer for the database should disconnect and come back: a restarted Postgres is back sooner. */
    long WAITS_AT_MOST_MS = 4_000;

    /** Whether the viewer can take another batch. A sink that returns false calls {@link ViewSession#advance} once it can. */
    boolean hasRoom();

    /**
     * Called before each batch with its first frame. The sink may lose its room here; then the batch is not sent yet.
     *
     * @param heldUp whether the sink had no room since the batch before
     */
    default void beforeBatch(Frame first, boolean heldUp) {}

    /** Whether the viewer is sent this frame; asked once for each frame, in order. The last frame must be wanted. */
    default boolean wants(Frame frame) {
        return true;
    }

    /** The bytes that a frame adds to a batch. */
    int weigh(Frame frame);

    /**
     * Encodes a batch, unless another viewer's session has encoded the same one. Called by one thread at a time: on a worker for long
     * batches, whose bytes may have to be read from the disk.
     */
    M encode(List<Frame> batch) throws IOException;

    /** @param messages may be shared with other viewers, so they must not be changed */
    void write(List<Frame> batch, M messages);

    /**
     * The next frames are in the database, which does not answer; they follow when it is back. Called at each attempt to read them.
     *
     * @param forMs since the first of these attempts
     */
    void delayed(Throwable why, long forMs);

    /** The last frame of the range has been written. */
    void ended();

    /** The log was closed: no further frame follows. */
    void closed();

    void failed(Throwable why);
}
