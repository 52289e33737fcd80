package io.penstock.engine.task;

import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Keep;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates a task's outputs, its stream in the log, and the parts that fill them. */
final class TaskCreation {

    private final Vertx vertx;
    private final TaskServices services;
    private final TaskOwner owner;
    private final String taskId;

    TaskCreation(Vertx vertx, TaskServices services, TaskOwner owner, String taskId) {
        this.vertx = vertx;
        this.services = services;
        this.owner = owner;
        this.taskId = taskId;
    }

    /** Creates the stream of a new task, without a frame; leaves nothing behind on failure. */
    Future<TaskStream> create(TaskRequest request, Verdict.Accept verdict, TaskBudget budget, TaskStart start) {
        TaskOutput output = output(request.mode(), request.artifactMaxBytes(), request.keep());
        ToolTaskSpawned spec;
        try {
            spec = request.spawned(output.logs(), services.containment(), verdict.recordInput());
        } catch (IllegalArgumentException e) {
            output.discard();
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        }
        return services.log()
                .create(StreamId.task(taskId))
                .compose(writer -> {
                    if (owner.isStopping()) {
                        writer.close();
                        return Future.<TaskStream>failedFuture(
                                new Failure(FailureCode.TASK_NOT_READY, "The server shuts down and starts no task"));
                    }
                    var record = new TaskRecord(writer, services.clockMs(), TaskState.ABSENT);
                    return Future.succeededFuture(stream(record, output, spec, budget, start));
                })
                .onFailure(e -> output.discard());
    }

    /** Continues the stream of a queued task. */
    TaskStream resume(QueuedTask task, TaskStart start) {
        ToolTaskSpawned spec = Objects.requireNonNull(task.state().spec());
        var record = new TaskRecord(task.writer(), services.clockMs(), task.state());
        TaskStream resumed = stream(record, task.output(), spec, task.budget(), start);
        RecordedTask before = task.recorded();
        resumed.watchers().restore(before.watchers(), before.finishedWatchers());
        return resumed;
    }

    private TaskOutput output(ExecutionMode mode, @Nullable Long maxBytes, @Nullable Keep keep) {
        return TaskOutput.create(
                services.floods(),
                services.artifacts(),
                services.addresses().artifacts(),
                taskId,
                mode,
                maxBytes,
                keep);
    }

    private TaskStream stream(
            TaskRecord record, TaskOutput output, ToolTaskSpawned spec, TaskBudget budget, TaskStart start) {
        var gate = new TaskGate(services.policy(), record, spec);
        return new TaskStream(vertx, services, record, output, spec, gate, budget, start);
    }
}
