package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;

/** Is told what one writer of a stream has written. It is called where the writer lives, so it is quick and never waits. */
public interface FrameListener {

    /** The next frame was accepted, and can not be undone any more. */
    void accepted(Frame frame);

    /** Gives each writer a listener of its own. */
    interface Source {
        FrameListener of(StreamId stream);
    }
}
