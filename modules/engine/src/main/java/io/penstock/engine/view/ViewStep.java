package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import java.util.List;

/** One thing that a session does for its viewer. */
sealed interface ViewStep {

    Wait WAIT = new Wait();
    ReadFrames READ_FRAMES = new ReadFrames();
    RequestState REQUEST_STATE = new RequestState();
    RequestScreen REQUEST_SCREEN = new RequestScreen();
    End END = new End();
    Close CLOSE = new Close();

    /** Nothing can be sent now, so no more frames are read either. */
    record Wait() implements ViewStep {}

    /** All frames that have been read are sent; wait for more. */
    record ReadFrames() implements ViewStep {}

    /** @param batch empty if all of its frames were skipped */
    record Send(List<Frame> batch) implements ViewStep {}

    /** Request the task's state, and report it with {@link ViewProgress#stateKnown}. */
    record RequestState() implements ViewStep {}

    /** Notify the viewer that it lags, and that all frames follow. */
    record ReportLag(long from, long to) implements ViewStep {}

    /** Request a screen, and report it with {@link ViewProgress#screenDrawn}, or its failure. */
    record RequestScreen() implements ViewStep {}

    /** Notify the viewer that a screen follows for the output from a frame on, and skip to that screen. */
    record SkipTo(long from, RenderedScreen screen) implements ViewStep {}

    record SendScreen(RenderedScreen screen) implements ViewStep {}

    /** Everything has been sent. Returned once. */
    record End() implements ViewStep {}

    /** The log is closed, and everything that was read from it has been sent. */
    record Close() implements ViewStep {}
}
