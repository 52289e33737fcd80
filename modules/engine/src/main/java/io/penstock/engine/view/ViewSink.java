package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
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

    /**
     * Whether the viewer can take another batch; asked often, so it must have no side effect. A sink that returns false
     * calls {@link ViewSession#advance} once the viewer can.
     */
    boolean hasRoom();

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
     * Notifies the viewer that the task is at frame {@code to}. Called only for viewers that may skip output.
     *
     * @param screen whether output is skipped and a screen follows for it; otherwise all frames follow
     */
    default void fellBehind(long from, long to, boolean screen) {}

    /** Writes the screen that replaces skipped output. Called only for viewers that may skip output. */
    default void writeScreen(RenderedScreen screen) {}

    /**
     * The next frames are in the database, which does not answer; they follow when it is back. Called at each attempt to read them.
     *
     * @param forMs time since the first of these attempts
     */
    void delayed(Throwable why, long forMs);

    /** The last frame of the range has been written, and so has the last screen, if output was skipped. Called once. */
    void ended();

    /** The log was closed: no further frame follows. */
    void closed();

    void failed(Throwable why);
}
