package io.penstock.engine.task;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.frames.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/**
 * A program that ends lets go of its terminal some microseconds before its end is known. What is typed in between is refused for that
 * end, as it is a moment later, and not as input that nothing will ever take. Lives on its shard's context.
 */
final class ExitRace {

    /** Whoever lives on for so long has closed its terminal, and goes on without. */
    private static final long LIVES_ON_MS = 1_000;

    private final Vertx vertx;
    private final String taskId;
    private final Promise<Void> known = Promise.promise();
    private boolean exited;

    ExitRace(Vertx vertx, String taskId) {
        this.vertx = vertx;
        this.taskId = taskId;
    }

    /** Nobody holds its output open any more, but it has not been seen to end. */
    void letGo() {
        vertx.setTimer(LIVES_ON_MS, later -> known.tryComplete());
    }

    void exited() {
        exited = true;
        known.tryComplete();
    }

    /** The same, but where the input was closed it is told why that is. */
    Future<Long> explainRefusal(Future<Long> typed) {
        return typed.recover(
                why -> why instanceof InputRefused refused && refused.reason() == InputRefused.Reason.CLOSED
                        ? known.future().compose(now -> Future.failedFuture(exited ? isEnding() : why))
                        : Future.failedFuture(why));
    }

    private Failure isEnding() {
        return new TaskOver("The task " + taskId + " is ending");
    }
}
