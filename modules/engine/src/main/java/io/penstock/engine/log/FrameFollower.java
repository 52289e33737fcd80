package io.penstock.engine.log;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.streams.ReadStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cursor that moves over a stream, history then live. It holds at most one page; whatever else there is stays in the log.
 * A handler that throws ends it, and is told. While the database is away that has what comes next, it waits. Lives on one context; only {@link #wake} may be called from elsewhere.
 */
public final class FrameFollower implements ReadStream<Frame> {

    /** What a follower needs of a log. */
    interface Source {

        Future<Page> read(StreamId stream, long fromSeq, int maxFrames);

        /** Has the follower woken after each acceptance in its stream. */
        void watch(StreamId stream, FrameFollower follower);

        void unwatch(StreamId stream, FrameFollower follower);

        /** Whether nothing more will come, of any stream. */
        boolean isClosed();
    }

    private static final Logger log = LoggerFactory.getLogger(FrameFollower.class);

    /** A database that is restarted is back in a second or so; one that is busy, sooner. */
    private static final long RETRY_MS = 250;

    private final Source source;
    private final Context context;
    private final StreamId stream;
    private final AtomicBoolean awake = new AtomicBoolean();

    private long nextSeq;
    private List<Frame> page = List.of();
    private int pageAt;
    private boolean reading;
    private boolean unread = true;
    private boolean delivering;
    private boolean done;
    private boolean outageTold;
    private long demand = Long.MAX_VALUE;
    private @Nullable Handler<Frame> handler;
    private @Nullable Handler<Throwable> exceptionHandler;
    private @Nullable Handler<Void> endHandler;

    FrameFollower(Source source, Context context, StreamId stream, long fromSeq) {
        if (fromSeq < 0) {
            throw new Failure(FailureCode.INVALID_REQUEST, "from_seq is 0 or more, not " + fromSeq);
        }
        this.source = source;
        this.context = context;
        this.stream = stream;
        this.nextSeq = fromSeq;
    }

    /** There may be more to read. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            context.runOnContext(v -> {
                awake.set(false);
                unread = true;
                move();
            });
        }
    }

    /** The log is closed: nothing more will come. */
    void end() {
        context.runOnContext(v -> {
            if (!done) {
                stop();
                Handler<Void> handler = endHandler;
                if (handler != null) {
                    handler.handle(null);
                }
            }
        });
    }

    /** Ends the following. No frame is delivered after this, if called on the follower's context. */
    public void cancel() {
        context.runOnContext(v -> stop());
    }

    @Override
    public FrameFollower handler(@Nullable Handler<Frame> handler) {
        context.runOnContext(v -> {
            boolean first = this.handler == null && handler != null;
            this.handler = handler;
            if (first && !done) {
                source.watch(stream, this);
                move();
            }
        });
        return this;
    }

    @Override
    public FrameFollower pause() {
        onContext(() -> demand = 0);
        return this;
    }

    @Override
    public FrameFollower resume() {
        return fetch(Long.MAX_VALUE);
    }

    @Override
    public FrameFollower fetch(long amount) {
        onContext(() -> {
            demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
            move();
        });
        return this;
    }

    @Override
    public FrameFollower exceptionHandler(@Nullable Handler<Throwable> handler) {
        onContext(() -> exceptionHandler = handler);
        return this;
    }

    @Override
    public FrameFollower endHandler(@Nullable Handler<Void> handler) {
        onContext(() -> endHandler = handler);
        return this;
    }

    /** At once where the caller runs on the context, so that a pause holds for the very next frame. */
    private void onContext(Runnable action) {
        if (Context.isOnVertxThread() && Vertx.currentContext() == context) {
            action.run();
        } else {
            context.runOnContext(v -> action.run());
        }
    }

    private void move() {
        if (delivering) {
            return;
        }
        deliver();
        while (!done && !reading && demand > 0 && pageAt == page.size() && unread && handler != null) {
            reading = true;
            unread = false;
            Future<Page> next = nextPage();
            if (!next.isComplete()) {
                next.onComplete(read -> onContext(() -> {
                    take(read);
                    move();
                }));
                return;
            }
            take(next);
            deliver();
        }
    }

    private void take(AsyncResult<Page> read) {
        reading = false;
        if (done) {
            return;
        }
        if (read.failed()) {
            // A log that was closed a moment ago refuses reads, and that is an end and no failure.
            if (source.isClosed()) {
                end();
            } else if (isPassing(read.cause())) {
                tryAgainLater(read.cause());
            } else {
                fail(read.cause());
            }
            return;
        }
        outageTold = false;
        page = read.result().frames();
        pageAt = 0;
        // A page with something in it may have more behind it.
        unread |= !page.isEmpty();
    }

    private static boolean isPassing(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.DATABASE_UNAVAILABLE;
    }

    /** Who follows waits for history as the log waits with it: what comes next is the same whenever that is. */
    private void tryAgainLater(Throwable why) {
        if (!outageTold) {
            outageTold = true;
            log.warn("A follower of {} waits at frame {}: {}", stream, nextSeq, why.getMessage());
        }
        unread = true;
        reading = true;
        context.owner()
                .setTimer(
                        RETRY_MS,
                        again -> onContext(() -> {
                            reading = false;
                            if (!done) {
                                move();
                            }
                        }));
    }

    private Future<Page> nextPage() {
        try {
            return source.read(stream, nextSeq, Limits.PAGE_FRAMES);
        } catch (RuntimeException | Error e) {
            // Thrown out of here, it would leave a follower that waits for ever for a page that nobody reads.
            return Future.failedFuture(e);
        }
    }

    private void deliver() {
        delivering = true;
        try {
            while (!done && demand > 0 && pageAt < page.size() && handler != null) {
                Frame frame = page.get(pageAt++);
                nextSeq = frame.seq() + 1;
                if (demand != Long.MAX_VALUE) {
                    demand--;
                }
                handler.handle(frame);
            }
            if (pageAt == page.size()) {
                page = List.of();
                pageAt = 0;
            }
        } catch (RuntimeException | Error e) {
            // Whoever cannot bear a frame cannot be shown the next one, and must not wait for it either.
            if (exceptionHandler == null) {
                stop();
                throw e;
            }
            fail(e);
        } finally {
            delivering = false;
        }
    }

    private void fail(Throwable cause) {
        stop();
        Handler<Throwable> handler = exceptionHandler;
        if (handler != null) {
            handler.handle(cause);
        }
    }

    private void stop() {
        done = true;
        page = List.of();
        source.unwatch(stream, this);
    }
}
