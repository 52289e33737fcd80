package io.penstock.engine.pump;

import io.penstock.frames.Frame;
import java.io.IOException;
import java.util.List;

/**
 * One to whom a task's frames are shown, in a language of its own. All but {@link #messages} is called on its context.
 *
 * @param <M> what frames become in that language
 */
public interface Audience<M> {

    /** Whether the next batch may come. Who says no calls {@link Showing#goOn} when that has changed. */
    boolean hasRoom();

    /**
     * Before each batch, which begins with this frame if there is room still.
     *
     * @param heldUp whether there was none for a while
     */
    void goesOnWith(Frame frame, boolean heldUp);

    /** Whether this one is shown to it, asked once of each frame, in order. The last frame of all always is. */
    boolean shows(Frame frame);

    /** What a frame weighs in a batch. */
    int bytesOf(Frame frame);

    /** Not for every batch, since others may have made the same; by one thread at a time, for long batches on a worker, since the bytes of history may have to come from a disk. */
    M messages(List<Frame> batch) throws IOException;

    /** @param messages that may be others' too */
    void write(List<Frame> batch, M messages);

    /** The last frame that is to be shown has been written. */
    void ended();

    /** Nothing more will come, of any task. */
    void closed();

    void brokeOff(Throwable why);
}
