package io.penstock.engine.pump;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A shard: owns its tasks, each from its first frame to its last, all on one thread. */
public final class PumpVerticle extends VerticleBase {

    private final TaskParts parts;
    private final Map<String, TaskStream> tasks = new HashMap<>();

    public PumpVerticle(TaskParts parts) {
        this.parts = parts;
    }

    /** Begins a task; completes when its first frame is accepted, while the program is being started. */
    Future<TaskState> spawn(String taskId, TaskRequest request) {
        return onShard(() -> vertx.executeBlocking(() -> checked(taskId, request))
                .map(Objects::requireNonNull)
                .compose(start -> begin(taskId, request, start))
                .onFailure(e -> forget(taskId)));
    }

    private Future<TaskState> begin(String taskId, TaskRequest request, SpawnRequest start) {
        TaskOutput output = TaskOutput.create(parts.artifacts(), taskId, request.mode(), request.artifactMaxBytes());
        ToolTaskSpawned spec;
        try {
            spec = new ToolTaskSpawned(
                    request.toolName(),
                    request.args(),
                    request.cwd(),
                    request.title(),
                    request.mode(),
                    request.originSessionId(),
                    output.logs(),
                    request.artifactMaxBytes(),
                    request.maxBytes(),
                    request.actor());
        } catch (IllegalArgumentException e) {
            output.discard();
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        }
        return parts.log()
                .begin(StreamId.task(taskId))
                .onFailure(e -> output.discard())
                .compose(writer -> {
                    var record = new TaskRecord(writer, parts.clockMs(), TaskState.ABSENT);
                    var task = new TaskStream(vertx, record, output, spec);
                    tasks.put(taskId, task);
                    task.ended().onComplete(over -> forget(taskId));
                    return record.write(spec).map(first -> {
                        run(taskId, task, start, request.timeout().toMillis());
                        return record.accepted();
                    });
                });
    }

    private SpawnRequest checked(String taskId, TaskRequest request) throws IOException {
        Path cwd = Workspace.resolve(parts.workspace(), request.cwd());
        var start = new SpawnRequest(
                request.command(),
                CleanEnvironment.with(request.environment(), request.mode()),
                cwd,
                request.mode(),
                false,
                request.size());
        parts.live().begins(taskId);
        return start;
    }

    private void run(String taskId, TaskStream task, SpawnRequest start, long timeoutMs) {
        vertx.executeBlocking(() -> start(taskId, start)).onComplete(started -> {
            RunningProcess program = started.result();
            if (program != null) {
                task.started(program, timeoutMs);
            } else {
                task.notStarted(String.valueOf(started.cause().getMessage()));
            }
        });
    }

    private RunningProcess start(String taskId, SpawnRequest start) throws SpawnFailure, IOException {
        RunningProcess program = parts.spawner().spawn(start);
        try {
            parts.live().runs(taskId, program.identity());
            return program;
        } catch (IOException e) {
            // A program that the next server could not find again must not run.
            program.killAll();
            program.close();
            throw e;
        }
    }

    private void forget(String taskId) {
        tasks.remove(taskId);
        vertx.executeBlocking(() -> {
            parts.live().ended(taskId);
            return null;
        });
    }

    /** The task's state, if it lives here. */
    Future<@Nullable TaskState> state(String taskId) {
        return onShard(() -> {
            TaskStream task = tasks.get(taskId);
            return Future.succeededFuture(task == null ? null : task.state());
        });
    }

    /** Something that is done with a task on its shard. */
    interface Operation {
        Future<Void> on(TaskStream task);
    }

    /** Fails with {@code TASK_NOT_READY} if the task does not live here. */
    Future<Void> with(String taskId, Operation operation) {
        return onShard(() -> {
            TaskStream task = tasks.get(taskId);
            return task == null
                    ? Future.failedFuture(new Failure(
                            FailureCode.TASK_NOT_READY,
                            "The task " + taskId + " has ended; nothing can be done with it"))
                    : operation.on(task);
        });
    }

    /** Stops all tasks, and waits until the last of them has told its end. */
    @Override
    public Future<?> stop() {
        List<TaskStream> all = List.copyOf(tasks.values());
        all.forEach(task -> task.cancel("the server shuts down", Cause.SHUTDOWN, Actor.SERVER));
        return Future.join(all.stream().map(TaskStream::ended).toList()).otherwiseEmpty();
    }

    private <T extends @Nullable Object> Future<T> onShard(Supplier<Future<T>> action) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(v -> {
            try {
                action.get().onComplete(promise);
            } catch (Failure e) {
                promise.fail(e);
            } catch (IllegalArgumentException e) {
                promise.fail(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }
}
