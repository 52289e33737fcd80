package io.penstock.engine.session;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.SessionAcknowledged;
import io.penstock.frames.SessionEnded;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionStarted;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session in memory: the only writer of its stream. Its operations are carried out one after the other, each after the
 * stream is open. Lives on its owner's context.
 */
final class LiveSession {

    private static final Logger logger = LoggerFactory.getLogger(LiveSession.class);

    /** A restarted database is back in about a second. */
    private static final long RETRY_MS = 250;

    /** How far a clock may be set back between a task's end and its record in the session. */
    static final long CLOCK_STEP_MS = 3_600_000;

    private static final long NO_TIMER = -1;

    /** Finds the frame of an operation; null if nothing changes. */
    private interface Step {
        Future<@Nullable SessionFrame> frame(SessionProgress now);
    }

    /**
     * @param starts the caller who starts the session, if the operation is a use of it; null if it needs one that exists
     * @param waits whether the operation waits for a database that is away
     */
    private record Operation(@Nullable Actor starts, boolean waits, Step step, Promise<@Nullable Frame> done) {}

    private final Vertx vertx;
    private final FrameLog log;
    private final LongSupplier clockMs;
    private final StreamId stream;
    private final ArrayDeque<Operation> operations = new ArrayDeque<>();
    private @Nullable StreamWriter writer;
    private SessionProgress progress = SessionProgress.NONE;
    private boolean started;
    private boolean ended;
    private boolean busy;
    private boolean closed;
    private long lastUsedMs;

    private final MergedHits merged = new MergedHits();
    private long mergeTimer = NO_TIMER;

    LiveSession(Vertx vertx, FrameLog log, LongSupplier clockMs, StreamId stream) {
        this.vertx = vertx;
        this.log = log;
        this.clockMs = clockMs;
        this.stream = stream;
    }

    /** Whether it has work left, so that it must stay in memory. */
    boolean isBusy() {
        return busy || !operations.isEmpty() || !merged.isEmpty();
    }

    long lastUsedMs() {
        return lastUsedMs;
    }

    /**
     * Records a fact about a task, or merges a match with others. Waits for a database that is away, because the fact must not be lost.
     */
    Future<@Nullable Frame> record(SessionEvent event) {
        if (event instanceof SessionEvent.WatcherHit hit) {
            return add(event.actor(), true, now -> frame(merge(hit.frame(now), now)));
        }
        // A task's matches come before its end.
        return add(event.actor(), true, now -> recordMerged().compose(done -> frame(event.frame(progress))));
    }

    private @Nullable SessionFrame merge(SessionWatcherHit hit, SessionProgress now) {
        if (!merged.take(hit, now)) {
            return hit;
        }
        armMergeTimer();
        return null;
    }

    private void armMergeTimer() {
        if (mergeTimer == NO_TIMER && !closed) {
            mergeTimer = vertx.setTimer(MergedHits.mergeMs(progress), up -> {
                mergeTimer = NO_TIMER;
                recordMergedSoon();
            });
        }
    }

    private void recordMergedSoon() {
        // Not a use of the session, which may have ended with nothing left to record.
        add(null, true, now -> recordMerged().compose(done -> frame(null))).onFailure(e -> {
            logger.warn("Merged matches are not recorded in the session {} yet: {}", stream.id(), e.getMessage());
            armMergeTimer();
        });
    }

    /** Appends the merged matches, one item for each watcher. */
    private Future<Void> recordMerged() {
        return AsyncLoop.of(() -> {
            SessionWatcherHit item = merged.first(progress);
            return item == null
                    ? Future.succeededFuture(false)
                    : append(item).map(appended -> {
                        merged.removeFirst();
                        return true;
                    });
        });
    }

    /** As {@link #record}, unless the stream has the end of this run already. */
    Future<@Nullable Frame> recordOnce(SessionEvent.TaskEnded end) {
        return add(end.actor(), true, now -> {
            long nextSeq = nextSeq();
            long endedAtMs = Objects.requireNonNullElse(end.last().run().endedAtMs(), 0L);
            int run = end.last().run().number();
            return Mailbox.hasEnd(log, stream, nextSeq, end.taskId(), run, endedAtMs - CLOCK_STEP_MS)
                    .compose(has -> has ? frame(null) : recordMerged().compose(done -> frame(end.frame(progress))));
        });
    }

    /** Starts the session if it is new or has ended. */
    Future<SessionState> use(Actor actor) {
        return add(actor, false, now -> frame(null)).map(done -> state());
    }

    Future<SessionState> current() {
        return add(null, false, now -> frame(null)).map(done -> state());
    }

    /** Acknowledges the mailbox items up to and including this frame; items that are acknowledged already stay so. */
    Future<SessionState> acknowledge(long throughSeq, Actor actor) {
        return add(null, false, now -> {
                    long nextSeq = nextSeq();
                    if (throughSeq >= nextSeq) {
                        throw new Failure(
                                FailureCode.INVALID_REQUEST,
                                "through_seq is " + throughSeq + ", and the last frame of the session " + stream.id()
                                        + " is " + (nextSeq - 1));
                    }
                    return throughSeq < now.mailboxFrom()
                            ? frame(null)
                            : Mailbox.count(log, stream, now.mailboxFrom(), throughSeq)
                                    .map(count -> new SessionAcknowledged(
                                            throughSeq, actor, now.withAcknowledged(count, throughSeq)));
                })
                .map(done -> {
                    if (!merged.isEmpty()) {
                        recordMergedSoon(); // the owner reads again
                    }
                    return state();
                });
    }

    /** Records a fact about the session's webhook. */
    Future<SessionState> record(WebhookEvent event) {
        return add(event.starts(), false, now -> frame(event.frame(now, nextSeq())))
                .map(done -> state());
    }

    private long nextSeq() {
        return Objects.requireNonNull(writer).nextSeq();
    }

    /** Ends the session; ending it again changes nothing. */
    Future<SessionState> end(@Nullable String reason, Actor actor) {
        return add(
                        null,
                        false,
                        now -> ended
                                ? frame(null)
                                : recordMerged().compose(done -> frame(new SessionEnded(reason, actor, progress))))
                .map(done -> state());
    }

    /** Completes when all operations so far are carried out. */
    Future<?> settled() {
        return isBusy()
                ? add(null, true, now -> recordMerged().compose(done -> frame(null)))
                        .recover(e -> Future.succeededFuture())
                : Future.succeededFuture();
    }

    /** Releases the stream. */
    void close() {
        closed = true;
        vertx.cancelTimer(mergeTimer);
        StreamWriter open = writer;
        if (open != null) {
            open.close();
        }
        failAll(new Failure(FailureCode.TASK_NOT_READY, "The server shuts down"));
    }

    private static Future<@Nullable SessionFrame> frame(@Nullable SessionFrame frame) {
        return Future.succeededFuture(frame);
    }

    private SessionState state() {
        return new SessionState(stream.id(), ended, progress, nextSeq());
    }

    private Future<@Nullable Frame> add(@Nullable Actor starts, boolean waits, Step step) {
        var operation = new Operation(starts, waits, step, Promise.promise());
        operations.add(operation);
        lastUsedMs = clockMs.getAsLong();
        advance();
        return operation.done().future();
    }

    /** Carries out operations until one of them has to wait. A loop, since thousands of completed futures would exhaust the stack. */
    private void advance() {
        while (!busy && !closed && !operations.isEmpty()) {
            busy = true;
            Future<?> step = writer == null ? open() : carryOut(operations.remove());
            if (step.isComplete()) {
                busy = false;
                continue;
            }
            step.onComplete(done -> {
                busy = false;
                advance();
            });
        }
    }

    /** Opens the stream for the first operation. A question about an unknown session must not begin a stream. */
    private Future<?> open() {
        Future<?> exists = operations.element().starts() == null ? log.nextSeq(stream) : Future.succeededFuture();
        return exists.compose(there -> log.open(stream))
                .compose(opened -> (opened.nextSeq() == 0
                                ? Future.<@Nullable Void>succeededFuture()
                                : readLast(opened.nextSeq() - 1))
                        .onSuccess(read -> writer = opened)
                        .onFailure(e -> opened.close()))
                .recover(e -> notOpened(e instanceof Failure failure ? failure.code() : FailureCode.INTERNAL_ERROR, e));
    }

    private Future<@Nullable Void> notOpened(FailureCode code, Throwable why) {
        if (code == FailureCode.STREAM_NOT_FOUND || code == FailureCode.SESSION_GONE) {
            operations.remove().done().fail(code == FailureCode.SESSION_GONE ? why : notFound());
            return Future.succeededFuture();
        }
        if (code != FailureCode.DATABASE_UNAVAILABLE || closed) {
            failAll(why);
            return Future.succeededFuture();
        }
        operations.removeIf(operation -> {
            if (!operation.waits()) {
                operation.done().tryFail(why);
            }
            return !operation.waits();
        });
        return operations.isEmpty()
                ? Future.succeededFuture()
                : vertx.timer(RETRY_MS).mapEmpty();
    }

    private Failure notFound() {
        return new Failure(FailureCode.SESSION_NOT_FOUND, "There is no session " + stream.id());
    }

    private Future<@Nullable Void> readLast(long seq) {
        return log.read(stream, seq, 1).map(Page::frames).map(frames -> {
            if (frames.getFirst().body() instanceof SessionFrame last) {
                started = true;
                ended = last instanceof SessionEnded;
                progress = Objects.requireNonNullElse(last.progress(), SessionProgress.NONE);
            }
            return null;
        });
    }

    private Future<?> carryOut(Operation operation) {
        Actor starts = operation.starts();
        if (!started && starts == null) {
            operation.done().fail(notFound());
            return Future.succeededFuture();
        }
        Future<@Nullable Frame> done = starts == null || (started && !ended)
                ? apply(operation.step())
                : append(new SessionStarted(starts, progress)).compose(begun -> apply(operation.step()));
        return done.onComplete(operation.done()).recover(reported -> Future.succeededFuture());
    }

    private Future<@Nullable Frame> apply(Step step) {
        try {
            return step.frame(progress).compose(frame -> frame == null ? Future.succeededFuture() : append(frame));
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<@Nullable Frame> append(SessionFrame frame) {
        return Objects.requireNonNull(writer)
                .append(clockMs.getAsLong(), frame)
                .onSuccess(accepted -> {
                    started = true;
                    ended = frame instanceof SessionEnded;
                    progress = Objects.requireNonNullElse(frame.progress(), progress);
                })
                .map(accepted -> accepted);
    }

    private void failAll(Throwable why) {
        for (Operation operation = operations.poll(); operation != null; operation = operations.poll()) {
            operation.done().tryFail(why);
        }
    }
}
