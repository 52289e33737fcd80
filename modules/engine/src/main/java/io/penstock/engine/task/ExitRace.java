package io.penstock.engine.task;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.frames.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/**
 * A program that exits closes its terminal or pipe some microseconds before its exit is known. Input in between is refused because of the
 * exit, as a moment later, and not as input that nothing reads. Lives on its shard's context.
 */
final class ExitRace {

    /** A program that still runs after this time has closed its input on purpose. */
    private static final long EXIT_WITHIN_MS = 1_000;

    private final Vertx vertx;
    private final String taskId;
    private final Promise<Void> known = Promise.promise();
    private boolean exited;

    ExitRace(Vertx vertx, String taskId) {
        this.vertx = vertx;
        this.taskId = taskId;
    }

    /** All outputs are closed, but the exit is not known yet. */
    void outputsClosed() {
        vertx.setTimer(EXIT_WITHIN_MS, later -> known.tryComplete());
    }

    void exited() {
        exited = true;
        known.tryComplete();
    }

    /** Replaces the refusal of input that is closed by the reason, if that is the exit. */
    Future<Long> explainRefusal(Future<Long> typed) {
        return typed.recover(
                why -> why instanceof InputRefused refused && refused.reason() == InputRefused.Reason.CLOSED
                        ? exitWithinMoments().compose(now -> Future.failedFuture(exited ? isEnding() : why))
                        : Future.failedFuture(why));
    }

    /** The outputs on pipes may stay open when the input is closed. */
    private Future<?> exitWithinMoments() {
        return known.future().isComplete() ? known.future() : Future.any(known.future(), vertx.timer(EXIT_WITHIN_MS));
    }

    private Failure isEnding() {
        return new TaskOver("The task " + taskId + " is ending");
    }
}
