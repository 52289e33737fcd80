package io.penstock.engine.task;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Holds back operations on a task while its program is being started, and carries them out in order afterwards. Lives on its
 * shard's context.
 */
final class StartBarrier {

    /** A program usually starts in milliseconds, on a busy machine in seconds. Shorter than callers wait for an operation. */
    private static final long WAIT_MS = 20_000;

    /** More than a person types meanwhile. */
    private static final int WAITING = 64;

    private record PendingCall(Supplier<Future<Long>> operation, Promise<Long> done) {}

    private final Vertx vertx;
    private final String taskId;
    private final Queue<PendingCall> waiting = new ArrayDeque<>();
    private boolean starting;
    private long timer = -1;

    StartBarrier(Vertx vertx, String taskId) {
        this.vertx = vertx;
        this.taskId = taskId;
    }

    /** The program is being started. */
    void close() {
        starting = true;
    }

    /** The program has started, or could not be started. */
    void open() {
        starting = false;
        vertx.cancelTimer(timer);
        for (PendingCall next = waiting.poll(); next != null; next = waiting.poll()) {
            try {
                next.operation().get().onComplete(next.done());
            } catch (RuntimeException e) {
                next.done().fail(e);
            }
        }
    }

    /** Carries the operation out now, or when the program has started. */
    Future<Long> then(Supplier<Future<Long>> operation) {
        if (!starting) {
            return operation.get();
        }
        if (waiting.size() >= WAITING) {
            throw notReady("is being started, and " + WAITING + " operations are waiting for it already");
        }
        if (waiting.isEmpty()) {
            timer = vertx.setTimer(WAIT_MS, late -> giveUp());
        }
        Promise<Long> done = Promise.promise();
        waiting.add(new PendingCall(operation, done));
        return done.future();
    }

    private void giveUp() {
        for (PendingCall next = waiting.poll(); next != null; next = waiting.poll()) {
            next.done().fail(notReady("is still being started after " + WAIT_MS + " ms"));
        }
    }

    private Failure notReady(String how) {
        return new Failure(FailureCode.TASK_NOT_READY, "The task " + taskId + " " + how + "; try again");
    }
}
