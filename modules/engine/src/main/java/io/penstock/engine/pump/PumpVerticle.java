package io.penstock.engine.pump;

import io.penstock.engine.policy.Verdict;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A shard: owns its tasks, each from its first frame to its last, all on one thread. */
public final class PumpVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(PumpVerticle.class);

    /** More than a task has between TERM and KILL, and for its last output. */
    private static final long STOP_MS = 15_000;

    private final TaskParts parts;
    private final SpawnGate gate;
    private final Map<String, TaskStream> tasks = new HashMap<>();
    private boolean stopping;

    public PumpVerticle(TaskParts parts) {
        this.parts = parts;
        this.gate = new SpawnGate(parts);
    }

    /** Nothing of it is recorded yet. */
    private record Prepared(TaskStream task, SpawnRequest start) {}

    /** Begins a task if policy allows it; completes when its first frames are accepted, while the program is being started. */
    Future<TaskState> spawn(String taskId, TaskRequest request) {
        return onShard(() -> switch (gate.ask(request)) {
            case Verdict.Begins verdict -> spawn(taskId, request, verdict);
            case Verdict.Deny denied -> gate.refuse(taskId, denied);
        });
    }

    private Future<TaskState> spawn(String taskId, TaskRequest request, Verdict.Begins verdict) {
        return vertx.executeBlocking(() -> checked(taskId, request), false)
                .map(Objects::requireNonNull)
                .compose(start -> prepare(taskId, request, verdict).map(task -> new Prepared(task, start)))
                .onFailure(e -> endsForGood(taskId))
                .compose(prepared -> begin(taskId, prepared, verdict));
    }

    private Future<TaskState> begin(String taskId, Prepared prepared, Verdict.Begins verdict) {
        TaskStream task = prepared.task();
        tasks.put(taskId, task);
        task.ended().onComplete(over -> {
            tasks.remove(taskId);
            if (over.succeeded()) {
                endsForGood(taskId);
            } else {
                log.error("Task {} is over, but that is not recorded; the next start tells it", taskId, over.cause());
            }
        });
        return task.begin(verdict).map(first -> {
            switch (verdict) {
                case Verdict.Allow _ -> run(taskId, task, prepared.start());
                case Verdict.Ask asked -> task.ask(asked, () -> run(taskId, task, prepared.start()));
            }
            return first;
        });
    }

    private Future<TaskStream> prepare(String taskId, TaskRequest request, Verdict.Begins verdict) {
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
                    request.actor(),
                    parts.spawner().containment());
        } catch (IllegalArgumentException e) {
            output.discard();
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        }
        return parts.log()
                .begin(StreamId.task(taskId))
                .compose(writer -> {
                    if (stopping) {
                        writer.close();
                        return Future.failedFuture(
                                new Failure(FailureCode.TASK_NOT_READY, "The server shuts down and begins no task"));
                    }
                    var record = new TaskRecord(writer, parts.clockMs(), TaskState.ABSENT);
                    var budget = new TaskBudget(
                            verdict.budgets(), verdict.rule(), request.timeout().toMillis());
                    return Future.succeededFuture(new TaskStream(
                            vertx,
                            record,
                            output,
                            spec,
                            new TaskGate(parts.policy(), record, spec),
                            budget,
                            parts.outputRate()));
                })
                .onFailure(e -> output.discard());
    }

    private SpawnRequest checked(String taskId, TaskRequest request) throws IOException {
        Path cwd = Workspace.resolve(parts.workspace(), request.cwd());
        var start = new SpawnRequest(
                request.command(),
                CleanEnvironment.with(request.environment(), request.mode(), taskId),
                cwd,
                request.mode(),
                false,
                request.size());
        parts.live().begins(taskId);
        return start;
    }

    private void run(String taskId, TaskStream task, SpawnRequest start) {
        task.starting().begins();
        // In no order: one program that is slow to start delays no other.
        vertx.executeBlocking(() -> start(taskId, start), false).onComplete(started -> {
            RunningProcess program = started.result();
            if (program != null) {
                task.started(program);
            } else {
                task.notStarted(String.valueOf(started.cause().getMessage()));
            }
            task.starting().isOver();
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

    /** Nothing is left to be told about it by a later server. */
    private void endsForGood(String taskId) {
        vertx.executeBlocking(
                () -> {
                    parts.live().ended(taskId);
                    return null;
                },
                false);
    }

    /** The task's state, if it lives here. */
    Future<@Nullable TaskState> state(String taskId) {
        return onShard(() -> {
            TaskStream task = tasks.get(taskId);
            return Future.succeededFuture(task == null ? null : task.state());
        });
    }

    /** Something that is done with a task on its shard. */
    interface Operation<T> {
        Future<T> on(TaskStream task);
    }

    /** Fails with {@code TASK_NOT_READY} if the task does not live here. */
    <T> Future<T> with(String taskId, Operation<T> operation) {
        return onShard(() -> {
            TaskStream task = tasks.get(taskId);
            return task == null
                    ? Future.failedFuture(new Failure(
                            FailureCode.TASK_NOT_READY,
                            "The task " + taskId + " has ended; nothing can be done with it"))
                    : operation.on(task);
        });
    }

    /** Stops all tasks, and waits until the last of them has told its end, if the log lets it. */
    @Override
    public Future<?> stop() {
        stopping = true;
        List<TaskStream> all = List.copyOf(tasks.values());
        all.forEach(task -> task.stop("the server shuts down", Cause.SHUTDOWN, Actor.SERVER));
        Promise<Void> told = Promise.promise();
        long timer = vertx.setTimer(STOP_MS, late -> {
            log.warn("{} tasks have not told their end; the next start tells it", tasks.size());
            tasks.values().forEach(TaskStream::abandon);
            told.tryComplete();
        });
        Future.join(all.stream().map(TaskStream::ended).toList()).onComplete(over -> {
            vertx.cancelTimer(timer);
            told.tryComplete();
        });
        return told.future();
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
