package io.penstock.engine.task;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Reserves file descriptors for the program of an accepted task, waiting some time until there are enough. Lives on its shard's
 * context.
 */
final class DescriptorReserve {

    /** Descriptors of ended tasks and connections are usually free much sooner. */
    private static final long WAIT_MS = 60_000;

    /** Counting the descriptors takes some hundred microseconds. */
    private static final long RETRY_MS = 250;

    private final Vertx vertx;
    private final DescriptorBudget descriptors;

    DescriptorReserve(Vertx vertx, DescriptorBudget descriptors) {
        this.vertx = vertx;
        this.descriptors = descriptors;
    }

    /**
     * Completes when descriptors are reserved, until {@link DescriptorBudget#endStart}; also when the task is stopped, since it
     * needs none then.
     */
    Future<Void> reserve(String taskId, BooleanSupplier isStopped) {
        if (descriptors.reserveStart(taskId)) {
            return Future.succeededFuture();
        }
        Promise<Void> reserved = Promise.promise();
        retry(taskId, isStopped, System.nanoTime(), reserved);
        return reserved.future();
    }

    private void retry(String taskId, BooleanSupplier isStopped, long sinceNanos, Promise<Void> reserved) {
        vertx.setTimer(RETRY_MS, elapsed -> {
            if (isStopped.getAsBoolean() || descriptors.reserveStart(taskId)) {
                reserved.complete();
            } else if (System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(WAIT_MS)) {
                reserved.fail(new Failure(FailureCode.QUOTA_EXCEEDED, descriptors.sentence()));
            } else {
                retry(taskId, isStopped, sinceNanos, reserved);
            }
        });
    }
}
