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
import org.slf4j.event.Level;

/**
 * A cursor that moves over a stream, history first, then live. It holds at most one page; everything else stays in the
 * log. If a handler throws, the follower ends and reports the exception. While the database that has the next frames is
 * unavailable, the follower waits and reports the outage. Lives on one context; only {@link #wake} may be called from
 * elsewhere.
 */
public final class FrameFollower implements ReadStream<Frame> {

    /** The part of a log that a follower uses. */
    public interface Source {

        Future<Page> read(StreamId stream, long fromSeq, int maxFrames);

        /** Wakes the follower after each frame accepted in its stream. */
        void watch(StreamId stream, FrameFollower follower);

        void unwatch(StreamId stream, FrameFollower follower);

        /** Whether no stream will get another frame. */
        boolean isClosed();
    }

    /** Called at each attempt to read frames that only the unavailable database has. */
    public interface OutageHandler {

        /** @param forMs time since the first of these attempts */
        void databaseAway(Throwable why, long forMs);
    }

    private static final Logger log = LoggerFactory.getLogger(FrameFollower.class);

    /** A restarted database is back in about a second; a busy one, sooner. */
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
    private boolean waiting;
    private long waitingSinceNanos;
    private long demand = Long.MAX_VALUE;
    private @Nullable Handler<Frame> handler;
    private @Nullable Handler<Throwable> exceptionHandler;
    private @Nullable Handler<Void> endHandler;
    private @Nullable OutageHandler outageHandler;

    public FrameFollower(Source source, Context context, StreamId stream, long fromSeq) {
        if (fromSeq < 0) {
            throw new Failure(FailureCode.INVALID_REQUEST, "from_seq is 0 or more, not " + fromSeq);
        }
        this.source = source;
        this.context = context;
        this.stream = stream;
        this.nextSeq = fromSeq;
    }

    /** Signals that there may be more to read. */
    public void wake() {
        if (awake.compareAndSet(false, true)) {
            context.runOnContext(v -> {
                awake.set(false);
                unread = true;
                move();
            });
        }
    }

    /** Signals that the log is closed and that no more frames will come. */
    public void end() {
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

    /** Stops following. If called on the follower's context, no frame is delivered after it. */
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

    /**
     * The handler is called while the follower waits for an unavailable database. The follower resumes by itself,
     * unless it is cancelled.
     */
    public FrameFollower outageHandler(@Nullable OutageHandler handler) {
        onContext(() -> outageHandler = handler);
        return this;
    }

    /** Runs the action at once if the caller is on the context, so that a pause holds from the very next frame. */
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
                    onPage(read);
                    move();
                }));
                return;
            }
            onPage(next);
            deliver();
        }
    }

    private void onPage(AsyncResult<Page> read) {
        reading = false;
        if (done) {
            return;
        }
        if (read.failed()) {
            // A log that has just been closed refuses reads; that is an end, not a failure.
            if (source.isClosed()) {
                end();
            } else if (isTransient(read.cause())) {
                retryLater(read.cause());
            } else {
                fail(read.cause());
            }
            return;
        }
        waiting = false;
        page = read.result().frames();
        pageAt = 0;
        // A non-empty page may be followed by another.
        unread |= !page.isEmpty();
    }

    private static boolean isTransient(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.DATABASE_UNAVAILABLE;
    }

    /** Waits for history as the log does: the next frames are the same whenever the database answers. */
    private void retryLater(Throwable why) {
        if (!waiting) {
            waiting = true;
            waitingSinceNanos = System.nanoTime();
            // If there is an outage handler, a line for each of thousands of viewers would only fill the log.
            log.atLevel(outageHandler == null ? Level.WARN : Level.DEBUG)
                    .log("A follower of {} waits at frame {}: {}", stream, nextSeq, why.getMessage());
        }
        unread = true;
        reading = true;
        OutageHandler outage = outageHandler;
        if (outage != null) {
            outage.databaseAway(why, (System.nanoTime() - waitingSinceNanos) / 1_000_000);
        }
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
            // If the exception left this method, the follower would wait for ever for a page that nothing reads.
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
            // A handler that failed on a frame must neither get the next one nor wait for it.
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
