package io.penstock.engine.view;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a task's frames to a viewer, history then live, in batches, each when there is room for it. {@link ViewProgress}
 * decides what comes next; the session carries that out. A viewer that does not keep up costs its position and nothing
 * else: its follower waits, and no other viewer's. Lives on the context on which it is created.
 */
public final class ViewSession<M> {

    /** Where the frames come from. */
    public interface Source {
        FrameFollower follow(String taskId, long fromSeq);
    }

    /** The time that a viewer without room has for the frames already read when the log is closed. */
    private static final long FINAL_FRAMES_MS = 3_000;

    private final Vertx vertx;
    private final Source source;
    private final Context context;
    private final FollowRange range;
    private final ViewSink<M> sink;
    private final BatchEncoder<M> encoder;
    private final @Nullable CatchUpSource catchUp;
    private final ViewProgress progress;
    private FrameFollower follower;
    private @Nullable EndWatch endWatch;
    private boolean advanceScheduled;
    private boolean encoding;

    /**
     * For a viewer that is sent all frames, however far it lags.
     *
     * @param shared the batches of viewers with the same encoding and the same batch limits
     */
    public ViewSession(
            Vertx vertx,
            Source source,
            FollowRange range,
            BatchLimits batches,
            SharedBatches<M> shared,
            ViewSink<M> sink) {
        this(vertx, source, range, shared, sink, null, new ViewProgress(range, batches, sink::weigh, null));
    }

    /** For a viewer that may skip output, and then catches up with a screen. */
    public ViewSession(
            Vertx vertx,
            Source source,
            FollowRange range,
            BatchLimits batches,
            SharedBatches<M> shared,
            ViewSink<M> sink,
            CatchUpSource catchUp,
            CatchUpLimits limits) {
        this(
                vertx,
                source,
                range,
                shared,
                sink,
                catchUp,
                new ViewProgress(
                        range, batches, sink::weigh, new LagGauge(limits, catchUp::written, System::nanoTime)));
    }

    private ViewSession(
            Vertx vertx,
            Source source,
            FollowRange range,
            SharedBatches<M> shared,
            ViewSink<M> sink,
            @Nullable CatchUpSource catchUp,
            ViewProgress progress) {
        this.vertx = vertx;
        this.source = source;
        this.context = vertx.getOrCreateContext();
        this.range = range;
        this.sink = sink;
        this.encoder = new BatchEncoder<>(vertx, shared, sink);
        this.catchUp = catchUp;
        this.progress = progress;
        this.follower = source.follow(range.taskId(), range.fromSeq());
    }

    public void start() {
        if (range.isOver()) {
            advance();
        } else {
            follow();
        }
    }

    private void follow() {
        follower.exceptionHandler(this::fail);
        follower.endHandler(closed -> {
            progress.logClosed();
            advance();
            if (!progress.isStopped()) {
                vertx.setTimer(FINAL_FRAMES_MS, late -> guard(sink::closed));
            }
        });
        follower.outageHandler((why, forMs) -> guard(() -> sink.delayed(why, forMs)));
        follower.handler(this::read);
    }

    /** Stops sending. On the session's context, as all that follows. */
    public void stop() {
        if (!progress.isStopped()) {
            progress.stop();
            follower.cancel();
            cancelEndWatch();
        }
    }

    /** The viewer is no longer visible: a terminal's output is skipped; of another task nothing is sent until its end. */
    public void hide() {
        progress.hide();
        if (catchUp != null && endWatch == null && !progress.isTerminal()) {
            var watch = new EndWatch(this::show);
            endWatch = watch;
            after(
                    catchUp.state(),
                    // If the state cannot be read now, the frames report the end as soon as they can.
                    now -> watch.start(
                            range.taskId(), now.succeeded() ? now.result() : range.known(), source, this::fail));
        }
    }

    /** The viewer is visible again. */
    public void show() {
        cancelEndWatch();
        progress.show();
        advance();
    }

    private void cancelEndWatch() {
        if (endWatch != null) {
            endWatch.cancel();
            endWatch = null;
        }
    }

    private void read(Frame frame) {
        progress.read(frame);
        if (progress.isFull()) {
            follower.pause();
        }
        if (!advanceScheduled) {
            // After all frames that exist now, so that they become one batch.
            advanceScheduled = true;
            context.runOnContext(now -> {
                advanceScheduled = false;
                advance();
            });
        }
    }

    /** Sends what there is room for. */
    public void advance() {
        guard(this::takeSteps);
    }

    /** Runs a callback. The sink is notified of a failure, otherwise its viewer would wait for ever. */
    private void guard(Runnable callback) {
        if (progress.isStopped()) {
            return;
        }
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private <T> void after(Future<T> answer, Consumer<AsyncResult<T>> use) {
        answer.onComplete(done -> context.runOnContext(here -> {
            guard(() -> use.accept(done));
            advance();
        }));
    }

    private void takeSteps() {
        boolean more = true;
        while (more && !encoding && !progress.isStopped()) {
            more = take(progress.next(sink.hasRoom()));
        }
    }

    /** Whether another step may follow now. */
    private boolean take(ViewStep step) {
        switch (step) {
            case ViewStep.Wait _ -> {
                follower.pause();
                return false;
            }
            case ViewStep.ReadFrames _ -> {
                follower.resume();
                return false;
            }
            case ViewStep.Close _ -> {
                sink.closed();
                return false;
            }
            case ViewStep.Send(List<Frame> batch) -> {
                if (!batch.isEmpty()) {
                    send(batch);
                }
            }
            case ViewStep.RequestState _ ->
                after(catchUp().state(), now -> progress.stateKnown(now.succeeded() ? now.result() : null));
            case ViewStep.ReportLag(long from, long to) -> sink.fellBehind(from, to, false);
            case ViewStep.RequestScreen _ -> after(catchUp().screen(), this::screenAnswered);
            case ViewStep.SkipTo(long from, RenderedScreen screen) -> skipTo(from, screen);
            case ViewStep.SendScreen(RenderedScreen screen) -> sink.writeScreen(screen);
            case ViewStep.End _ -> sink.ended();
        }
        return true;
    }

    private CatchUpSource catchUp() {
        return Objects.requireNonNull(catchUp, "only a viewer with a source of screens catches up");
    }

    private void screenAnswered(AsyncResult<RenderedScreen> answer) {
        if (answer.succeeded()) {
            progress.screenDrawn(answer.result());
        } else if (!progress.screenFailed()) {
            fail(answer.cause());
        }
    }

    private void skipTo(long from, RenderedScreen screen) {
        sink.fellBehind(from, screen.seq() + 1, true);
        List<Frame> others = catchUp().nonOutputFrames(progress.nextSeq(), screen.seq());
        if (others == null || !progress.skipReading(others, screen.seq())) {
            return;
        }
        FrameFollower before = follower;
        before.pause();
        follower = source.follow(range.taskId(), progress.readTo());
        follow();
        // Not earlier: the newest frames are kept in memory as long as the stream has a follower.
        before.cancel();
    }

    private void send(List<Frame> batch) {
        Future<M> messages = encoder.encode(batch);
        if (messages.isComplete()) {
            write(batch, messages);
            return;
        }
        encoding = true;
        messages.onComplete(done -> context.runOnContext(here -> {
            encoding = false;
            guard(() -> write(batch, done));
            advance();
        }));
    }

    private void write(List<Frame> batch, AsyncResult<M> messages) {
        if (messages.failed()) {
            fail(messages.cause());
            return;
        }
        sink.write(batch, messages.result());
        progress.sent(batch.getLast().seq() + 1);
    }

    private void fail(Throwable why) {
        if (!progress.isStopped()) {
            sink.failed(why);
        }
    }
}
