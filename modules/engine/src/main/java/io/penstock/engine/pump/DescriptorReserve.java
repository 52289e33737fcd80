package io.penstock.engine.pump;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps descriptors for the start of tasks that were accepted: where there are none, such a task waits for a while and then fails.
 * Lives on its shard's context.
 */
final class DescriptorReserve {

    /** Tasks and connections that have ended give their descriptors back, mostly before. */
    private static final long WAIT_MS = 60_000;

    /** Counting the descriptors takes some hundred microseconds. */
    private static final long RETRY_MS = 250;

    private final DescriptorBudget descriptors;

    DescriptorReserve(DescriptorBudget descriptors) {
        this.descriptors = descriptors;
    }

    /** Completes when the task has room, until {@link DescriptorBudget#endStart}; at once where it is stopped, for it is not started then. */
    Future<Void> of(Vertx vertx, String taskId, BooleanSupplier isStopped) {
        if (descriptors.reserveStart(taskId)) {
            return Future.succeededFuture();
        }
        Promise<Void> room = Promise.promise();
        awaitDescriptors(vertx, taskId, isStopped, System.nanoTime(), room);
        return room.future();
    }

    private void awaitDescriptors(
            Vertx vertx, String taskId, BooleanSupplier isStopped, long sinceNanos, Promise<Void> room) {
        vertx.setTimer(RETRY_MS, again -> {
            if (isStopped.getAsBoolean() || descriptors.reserveStart(taskId)) {
                room.complete();
            } else if (System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(WAIT_MS)) {
                room.fail(new Failure(FailureCode.QUOTA_EXCEEDED, descriptors.sentence()));
            } else {
                awaitDescriptors(vertx, taskId, isStopped, sinceNanos, room);
            }
        });
    }
}
