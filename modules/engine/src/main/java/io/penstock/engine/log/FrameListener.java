package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;

/**
 * Called with each frame that one writer of a stream has written. It runs on the writer's thread, so it must be quick
 * and never block.
 */
public interface FrameListener {

    /** The next frame was accepted, which cannot be undone. */
    void accepted(Frame frame);

    /** Gives each writer a listener of its own. */
    interface Source {
        FrameListener of(StreamId stream);
    }
}
