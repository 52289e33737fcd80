package io.penstock.engine.host;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** A switch: checked before its answer, and carried out after it. */
final class SwitchAttempt {

    private final HostTasks hostTasks;
    private final OpenTasks open;
    private final TaskApi tasks;
    private final OneThread thread;
    private final Selection selection;
    private final TaskLabel task;
    private final String name;
    private @Nullable String taskId;

    SwitchAttempt(
            HostTasks hostTasks, OpenTasks open, TaskApi tasks, OneThread thread, Selection selection, TaskLabel task) {
        this.hostTasks = hostTasks;
        this.open = open;
        this.tasks = tasks;
        this.thread = thread;
        this.selection = selection;
        this.task = task;
        this.name = task.text();
    }

    Future<HostAnswer> check() {
        return hostTasks.existing(task).map(found -> {
            if (!open.has(name) || TaskWords.isStopping(found.state())) {
                throw new Failure(
                        FailureCode.TASK_NOT_READY,
                        "The task " + name + " is " + hostTasks.word(name, found.state())
                                + "; create_or_open_task opens it");
            }
            taskId = found.taskId();
            return HostAnswer.result(new JsonObject().put("status", "switching").put("taskId", name));
        });
    }

    /** Does nothing if the check has failed, or was made for an earlier request. Completes after the last event. */
    Future<?> carryOut() {
        String target = taskId;
        if (target == null) {
            return Future.succeededFuture();
        }
        long number = selection.begin();
        tell("task_switch_started", new JsonObject());
        return thread.here(tasks.awaitState(
                                target,
                                state -> TaskWords.isReady(state) || TaskWords.isStopping(state),
                                HostLimits.SWITCH_MS)
                        .state())
                .map(state -> refusal(number, target, state))
                .otherwise(HostRefusal::of)
                .onSuccess(refusal -> tell(
                        refusal == null ? "task_ready" : "task_error",
                        refusal == null ? new JsonObject() : refusal.json()));
    }

    private void tell(String event, JsonObject payload) {
        open.tell(new HostEvent(event, System.currentTimeMillis(), name, payload));
    }

    /** Selects the task; the reason why that is impossible, or null. */
    private @Nullable HostRefusal refusal(long number, String target, TaskState state) {
        if (TaskWords.isStopping(state) || !target.equals(open.taskId(name))) {
            return HostRefusal.notReady("The task " + name + " ended while it was being switched to");
        }
        if (!TaskWords.isReady(state)) {
            return new HostRefusal(
                    HostCode.SWITCH_TIMEOUT,
                    "The task " + name + " was not ready within " + HostLimits.SWITCH_MS + " ms",
                    true,
                    true);
        }
        return selection.select(number, name, target)
                ? null
                : HostRefusal.notReady("A later request has switched to another task than " + name);
    }
}
