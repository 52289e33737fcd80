package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;

/**
 * The next thing to send to a viewer, or the event that it waits for. The first state is {@link Sending}.
 *
 * <pre>
 * the client hides and shows its view:  Sending ◄─► Hidden
 * sending was blocked:                  Sending ─► CheckingLag ─► Sending, Lagging or ScreenDue
 * output is or was skipped:             Sending, Hidden or ScreenDue ─► AwaitingScreen ─► ScreenReady ─► CatchingUp
 * the catch-up is complete:             CatchingUp ─► Sending or Hidden
 * the last frame was sent:              Sending or Hidden ─► Ended
 * </pre>
 */
sealed interface ViewState {

    /** All frames are sent: history, then live. */
    record Sending() implements ViewState {}

    /**
     * The viewer is not visible. With a terminal its output is skipped, otherwise nothing is sent.
     *
     * @param skippedFrom the first skipped frame; -1 if none was skipped
     */
    record Hidden(long skippedFrom) implements ViewState {}

    /**
     * Sending was blocked, and the task's state has been requested to see how far the viewer lags.
     *
     * @param first the frame that is sent next
     */
    record CheckingLag(Frame first) implements ViewState {}

    /** The viewer lags from one frame to another, must be notified of it, and is then sent all frames. */
    record Lagging(long from, long to) implements ViewState {}

    /**
     * A screen must be requested, which replaces the output from this frame on.
     *
     * @param skipped whether output has been skipped already, so that the viewer cannot continue without the screen
     */
    record ScreenDue(long from, boolean skipped) implements ViewState {}

    /** The screen has been requested. */
    record AwaitingScreen(long from, boolean skipped) implements ViewState {}

    /** The screen has been drawn, and the viewer must be notified of it. */
    record ScreenReady(long from, RenderedScreen screen) implements ViewState {}

    /** All frames up to the screen's are sent except output, then the screen. */
    record CatchingUp(RenderedScreen screen) implements ViewState {}

    /** Everything has been sent, the task's end included. */
    record Ended() implements ViewState {}

    /** Nothing more is sent. */
    record Stopped() implements ViewState {}
}
