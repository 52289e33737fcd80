package io.penstock.engine.pump;

import io.penstock.engine.artifact.file.PinnedTasks;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the outputs of a task from before its pin is recorded until it is refused, or unpinned. */
final class PinnedOutputs {

    private static final Logger log = LoggerFactory.getLogger(PinnedOutputs.class);

    private final Vertx vertx;
    private final PinnedTasks pinned;
    private final Function<String, Future<TaskState>> states;

    PinnedOutputs(Vertx vertx, PinnedTasks pinned, Function<String, Future<TaskState>> states) {
        this.vertx = vertx;
        this.pinned = pinned;
        this.states = states;
    }

    /** Carries out a command. */
    Future<@Nullable Long> change(TaskCommand.Pin pin, Supplier<Future<@Nullable Long>> carryOut) {
        String taskId = pin.taskId();
        return states.apply(taskId)
                .compose(exists -> begin(taskId, pin.pinned())
                        // Its outputs might be removed before the pin is recorded.
                        .compose(begun -> carryOut.get().eventually(() -> settle(taskId))));
    }

    private Future<?> begin(String taskId, boolean pin) {
        return vertx.executeBlocking(() -> {
            pinned.begin(taskId, pin);
            return taskId;
        });
    }

    /** Another change of this task may have been recorded since its state was read; then it is read again. */
    private Future<?> settle(String taskId) {
        return states.apply(taskId)
                .map(TaskState::pinned)
                .otherwise(unknown -> true)
                .compose(isPinned -> vertx.executeBlocking(() -> pinned.end(taskId, isPinned)))
                .compose(settled -> Boolean.TRUE.equals(settled)
                        ? Future.succeededFuture()
                        : begin(taskId, false).compose(again -> settle(taskId)))
                .recover(e -> {
                    log.warn("The outputs of {} are kept for up to an hour: {}", taskId, e.getMessage());
                    return Future.succeededFuture();
                });
    }
}
