package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a viewer in a task's stream. Its methods report events; {@link #next} alone decides what the
 * viewer is sent. Knows no clock, thread or connection of its own. For one thread at a time.
 */
final class ViewProgress {

    private static final ViewState SENDING = new ViewState.Sending();
    private static final ViewState HIDDEN = new ViewState.Hidden(-1);

    private final FollowRange range;
    private final BatchLimits batches;
    private final ToIntFunction<Frame> weigh;
    private final @Nullable LagGauge lag;
    private final boolean terminal;

    /** The frames that were read and not yet sent. */
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();

    private ViewState state = SENDING;
    private boolean visible = true;

    /** The frame after the last that was read. */
    private long readTo;

    /** The frame after the last that the viewer has, itself or in a screen. */
    private long sentTo;

    private boolean lastFrameTaken;
    private boolean logClosed;

    /** Whether nothing could be sent since the last batch. */
    private boolean blocked;

    /** The frame at which the lag was checked last: the answer is the same until that frame has been sent. */
    private long checkedAt = -1;

    /** The frame at which a screen could not be drawn; it is sent with all that follows. */
    private long refusedAt = -1;

    /**
     * @param weigh the bytes that a frame adds to a batch
     * @param lag null for a viewer that is always sent all frames, however far it lags
     */
    ViewProgress(FollowRange range, BatchLimits batches, ToIntFunction<Frame> weigh, @Nullable LagGauge lag) {
        this.range = range;
        this.batches = batches;
        this.weigh = weigh;
        this.lag = lag;
        ToolTaskSpawned spec = range.known().spec();
        this.terminal = spec != null && spec.executionMode() == ExecutionMode.PTY;
        this.readTo = range.fromSeq();
        this.sentTo = range.fromSeq();
        this.lastFrameTaken = range.isOver();
    }

    boolean isTerminal() {
        return terminal;
    }

    boolean isStopped() {
        return state instanceof ViewState.Stopped;
    }

    /** The frame to be read next. */
    long readTo() {
        return readTo;
    }

    /** The frame to be sent next. */
    long nextSeq() {
        Frame next = waiting.peek();
        return next == null ? readTo : next.seq();
    }

    /** Whether the viewer has everything that existed when it began. */
    private boolean hasReachedLive() {
        return sentTo >= range.known().nextSeq();
    }

    /** A frame was read. */
    void read(Frame frame) {
        if (!isStopped() && !lastFrameTaken) {
            waiting.add(frame);
            readTo = frame.seq() + 1;
        }
    }

    /** Whether no more frames should be read before some have been sent. */
    boolean isFull() {
        return waiting.size() >= batches.frames();
    }

    /** No more frames can be read. */
    void logClosed() {
        logClosed = true;
    }

    /** A batch was written; the first frame after it is given. */
    void sent(long nextSeq) {
        sentTo = Math.max(sentTo, nextSeq);
    }

    /** The viewer is no longer visible. A catch-up that has begun is completed all the same. */
    void hide() {
        visible = false;
        if (state instanceof ViewState.Sending) {
            state = HIDDEN;
        }
    }

    /** The viewer is visible again. */
    void show() {
        visible = true;
        if (state instanceof ViewState.Hidden hidden) {
            state = hidden.skippedFrom() < 0 ? SENDING : new ViewState.ScreenDue(hidden.skippedFrom(), true);
        }
    }

    /** The answer to {@link ViewStep.RequestState}; null if the state cannot be read now. */
    void stateKnown(@Nullable TaskState now) {
        if (!(state instanceof ViewState.CheckingLag(Frame first))) {
            return;
        }
        settle();
        if (now == null || lag == null || !visible) {
            return;
        }
        if (lag.sendsScreens() && lag.isFarBehind(first, now.output().stored(Channel.PTY))) {
            state = new ViewState.ScreenDue(first.seq(), false);
        } else if (hasReachedLive() && lag.mustNotify(first.seq(), now.nextSeq())) {
            state = new ViewState.Lagging(first.seq(), now.nextSeq());
        }
    }

    /** An answer to {@link ViewStep.RequestScreen}. */
    void screenDrawn(RenderedScreen screen) {
        if (state instanceof ViewState.AwaitingScreen awaiting) {
            if (lag != null) {
                lag.catchUp();
            }
            state = new ViewState.ScreenReady(awaiting.from(), screen);
        }
    }

    /**
     * An answer to {@link ViewStep.RequestScreen}.
     *
     * @return whether the viewer can continue without the screen; otherwise it lacks output for good
     */
    boolean screenFailed() {
        if (state instanceof ViewState.AwaitingScreen awaiting) {
            if (awaiting.skipped()) {
                return false;
            }
            refusedAt = awaiting.from();
            settle();
        }
        return true;
    }

    /**
     * Replaces all frames that wait for being sent before a screen, so that the output among them need not be read.
     *
     * @param others all frames from {@link #nextSeq} to the screen's that are not output
     * @return whether {@link #readTo} has moved to the frame after the screen's
     */
    boolean skipReading(List<Frame> others, long screenSeq) {
        if (screenSeq < readTo || logClosed || lastFrameTaken) {
            return false;
        }
        waiting.clear();
        waiting.addAll(others);
        readTo = screenSeq + 1;
        return true;
    }

    void stop() {
        state = new ViewState.Stopped();
        waiting.clear();
    }

    private void settle() {
        state = visible ? SENDING : HIDDEN;
    }

    /** @param hasRoom whether the viewer can take another batch */
    ViewStep next(boolean hasRoom) {
        return switch (state) {
            case ViewState.Sending _ -> sendAll(hasRoom);
            case ViewState.Hidden hidden -> sendHidden(hidden, hasRoom);
            case ViewState.CheckingLag _, ViewState.AwaitingScreen _ -> block();
            case ViewState.Lagging(long from, long to) -> {
                settle();
                yield new ViewStep.ReportLag(from, to);
            }
            case ViewState.ScreenDue(long from, boolean skipped) -> requestScreen(from, skipped);
            case ViewState.ScreenReady(long from, RenderedScreen screen) -> {
                state = new ViewState.CatchingUp(screen);
                yield new ViewStep.SkipTo(from, screen);
            }
            case ViewState.CatchingUp(RenderedScreen screen) -> sendOthers(screen, hasRoom);
            case ViewState.Ended _ -> logClosed && hasRoom ? ViewStep.CLOSE : ViewStep.WAIT;
            case ViewState.Stopped _ -> ViewStep.WAIT;
        };
    }

    private ViewStep block() {
        blocked = true;
        return ViewStep.WAIT;
    }

    private ViewStep requestScreen(long from, boolean skipped) {
        state = new ViewState.AwaitingScreen(from, skipped);
        return ViewStep.REQUEST_SCREEN;
    }

    private ViewStep end() {
        state = new ViewState.Ended();
        return ViewStep.END;
    }

    private ViewStep sendAll(boolean hasRoom) {
        if (lastFrameTaken) {
            return end();
        }
        if (!hasRoom) {
            return block();
        }
        Frame first = waiting.peek();
        if (first == null) {
            return readMore();
        }
        if (lag != null && lag.sendsScreens() && refusedAt != first.seq() && lag.isFarBehind(first)) {
            return requestScreen(first.seq(), false);
        }
        boolean checks = lag != null && (lag.sendsScreens() || hasReachedLive());
        if (blocked && checks && checkedAt != first.seq()) {
            // A viewer is notified that it lags before it is sent more.
            checkedAt = first.seq();
            state = new ViewState.CheckingLag(first);
            return ViewStep.REQUEST_STATE;
        }
        return send(Long.MAX_VALUE);
    }

    private ViewStep sendHidden(ViewState.Hidden hidden, boolean hasRoom) {
        if (lastFrameTaken) {
            if (hidden.skippedFrom() < 0) {
                return end();
            }
            // A hidden viewer too gets the last screen.
            return requestScreen(hidden.skippedFrom(), true);
        }
        if (!terminal || !hasRoom) {
            return block();
        }
        return waiting.isEmpty() ? readMore() : send(Long.MAX_VALUE);
    }

    private ViewStep sendOthers(RenderedScreen screen, boolean hasRoom) {
        if (lastFrameTaken || hasRoom && nextSeq() > screen.seq()) {
            settle();
            sent(screen.seq() + 1);
            return new ViewStep.SendScreen(screen);
        }
        if (!hasRoom) {
            return block();
        }
        return waiting.isEmpty() ? readMore() : send(screen.seq());
    }

    private ViewStep readMore() {
        return logClosed ? ViewStep.CLOSE : ViewStep.READ_FRAMES;
    }

    /** Sends frames up to a last one, and not many more bytes than fit into one write. */
    private ViewStep send(long lastSeq) {
        blocked = false;
        boolean output = state instanceof ViewState.Sending;
        var batch = new ArrayList<Frame>();
        int bytes = 0;
        boolean more = true;
        while (more && !waiting.isEmpty() && nextSeq() <= lastSeq) {
            Frame frame = waiting.remove();
            if (output || !(frame.body() instanceof ToolTaskOutputDelta)) {
                batch.add(frame);
                bytes += weigh.applyAsInt(frame);
            } else if (state instanceof ViewState.Hidden hidden && hidden.skippedFrom() < 0) {
                state = new ViewState.Hidden(frame.seq());
            }
            more = bytes < batches.bytes() && !batches.endWith(frame);
            if (range.endsWith(frame)) {
                lastFrameTaken = true;
                waiting.clear();
            }
        }
        return new ViewStep.Send(batch);
    }
}
