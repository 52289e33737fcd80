package io.penstock.engine.pump;

import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.Place;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    private final TaskStarter starter;
    private final Map<String, TaskStream> tasks = new HashMap<>();
    private final Map<String, Place> places = new HashMap<>();
    private boolean stopping;

    public PumpVerticle(TaskParts parts) {
        this.parts = parts;
        this.gate = new SpawnGate(parts);
        this.starter = new TaskStarter(parts);
    }

    /**
     * Nothing of it is recorded yet.
     *
     * @param start empty if it waits for its turn, and what it is started with is kept in the queue
     */
    private record Prepared(TaskStream task, Optional<SpawnRequest> start) {}

    /** Begins a task if policy allows it; completes when its first frames are accepted, while the program is being started. */
    Future<TaskState> spawn(String taskId, TaskRequest request) {
        return onShard(() -> switch (gate.ask(request)) {
            // What is asked about comes when the answer is yes: an open question keeps nobody waiting.
            case Verdict.Ask verdict -> spawn(taskId, request, verdict);
            case Verdict.Allow verdict -> {
                try {
                    places.put(taskId, parts.lanes().enter(request.originSessionId()));
                } catch (Failure full) {
                    yield gate.refuse(taskId, String.valueOf(full.getMessage()));
                }
                yield spawn(taskId, request, verdict);
            }
            case Verdict.Deny denied -> gate.refuse(taskId, denied);
        });
    }

    private Future<TaskState> spawn(String taskId, TaskRequest request, Verdict.Begins verdict) {
        var budget = new TaskBudget(
                verdict.budgets(), verdict.rule(), request.timeout().toMillis());
        Place place = places.get(taskId);
        return vertx.executeBlocking(() -> starter.begin(taskId, request, budget, place), false)
                .map(Objects::requireNonNull)
                .compose(start -> prepare(taskId, request, budget).map(task -> new Prepared(task, start)))
                .onFailure(e -> {
                    leave(taskId);
                    endsForGood(taskId);
                })
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.QUOTA_EXCEEDED
                        ? gate.refuse(taskId, String.valueOf(e.getMessage()))
                        : Future.failedFuture(e))
                .compose(prepared -> begin(taskId, request, prepared, verdict, budget));
    }

    private Future<TaskState> begin(
            String taskId, TaskRequest request, Prepared prepared, Verdict.Begins verdict, TaskBudget budget) {
        TaskStream task = prepared.task();
        adopt(taskId, task);
        return task.beginning().record(verdict).compose(first -> switch (verdict) {
            case Verdict.Allow _ -> {
                if (prepared.start().isEmpty()) {
                    Place place = Objects.requireNonNull(places.get(taskId));
                    yield task.beginning().queue(place, () -> run(taskId, task, prepared.start()));
                }
                run(taskId, task, prepared.start());
                yield Future.succeededFuture(first);
            }
            case Verdict.Ask asked -> {
                task.beginning().ask(asked, () -> allowed(taskId, task, request, prepared.start(), budget));
                yield Future.succeededFuture(first);
            }
        });
    }

    private void adopt(String taskId, TaskStream task) {
        tasks.put(taskId, task);
        task.ended().onComplete(over -> {
            tasks.remove(taskId);
            leave(taskId);
            if (over.succeeded()) {
                parts.ended().ends(taskId, over.result());
                endsForGood(taskId);
            } else {
                log.error("Task {} is over, but that is not recorded; the next start tells it", taskId, over.cause());
                note(taskId, () -> starter.leaveForTheNextStart(taskId));
            }
        });
    }

    private void leave(String taskId) {
        Place place = places.remove(taskId);
        if (place != null) {
            parts.lanes().leave(place);
        }
    }

    private Future<TaskStream> prepare(String taskId, TaskRequest request, TaskBudget budget) {
        TaskOutput output = TaskOutput.create(
                parts.floods(), parts.artifacts(), taskId, request.mode(), request.artifactMaxBytes());
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
                    parts.spawner().containment(),
                    request.label());
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
                    return Future.succeededFuture(
                            stream(new TaskRecord(writer, parts.clockMs(), TaskState.ABSENT), output, spec, budget));
                })
                .onFailure(e -> output.discard());
    }

    private TaskStream stream(TaskRecord record, TaskOutput output, ToolTaskSpawned spec, TaskBudget budget) {
        var gate = new TaskGate(parts.policy(), record, spec);
        return new TaskStream(vertx, record, output, spec, gate, budget, parts.outputRate());
    }

    /** Somebody said yes. What was accepted is not refused now: it waits if it must. */
    private SpawnQuestion.Next allowed(
            String taskId, TaskStream task, TaskRequest request, Optional<SpawnRequest> start, TaskBudget budget) {
        Place place = parts.lanes().enterAccepted(request.originSessionId());
        places.put(taskId, place);
        return place.waits()
                ? new SpawnQuestion.Next(
                        Phase.QUEUED, () -> queue(taskId, task, QueuedSpawn.of(request, place, budget), place))
                : new SpawnQuestion.Next(Phase.STARTING, () -> run(taskId, task, start));
    }

    private void queue(String taskId, TaskStream task, QueuedSpawn spawn, Place place) {
        onWorker(() -> starter.keep(taskId, spawn))
                .onSuccess(kept -> task.beginning().queue(place, () -> run(taskId, task, Optional.empty())))
                .onFailure(e -> task.beginning().failed(String.valueOf(e.getMessage())));
    }

    /**
     * Goes on with a task that waited for its turn when the server before this one ended.
     *
     * @param place which it has taken for that
     */
    Future<TaskState> takeUp(String taskId, StreamWriter writer, TaskState state, TaskBudget budget, Place place) {
        return onShard(() -> {
            ToolTaskSpawned spec = Objects.requireNonNull(state.spec());
            TaskOutput output;
            try {
                output = TaskOutput.create(
                        parts.floods(), parts.artifacts(), taskId, spec.executionMode(), spec.artifactMaxBytes());
            } catch (RuntimeException e) {
                writer.close();
                throw e;
            }
            TaskStream task = stream(new TaskRecord(writer, parts.clockMs(), state), output, spec, budget);
            places.put(taskId, place);
            adopt(taskId, task);
            return task.beginning().queue(place, () -> run(taskId, task, Optional.empty()));
        });
    }

    private void run(String taskId, TaskStream task, Optional<SpawnRequest> start) {
        task.starting().begins();
        // In no order: one program that is slow to start delays no other.
        vertx.executeBlocking(() -> starter.start(taskId, start), false).onComplete(started -> {
            RunningProcess program = started.result();
            if (program != null) {
                task.started(program);
            } else {
                task.beginning().failed(String.valueOf(started.cause().getMessage()));
            }
            task.starting().isOver();
        });
    }

    private void endsForGood(String taskId) {
        note(taskId, () -> starter.endsForGood(taskId));
    }

    /** Nobody waits for it. */
    private void note(String taskId, Noting noting) {
        onWorker(noting)
                .onFailure(e -> log.error(
                        "What is noted of task {} on the disk cannot be changed; the next start goes by what is there",
                        taskId,
                        e));
    }

    private interface Noting {
        void note() throws IOException;
    }

    private Future<?> onWorker(Noting noting) {
        return vertx.executeBlocking(
                () -> {
                    noting.note();
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
            return task == null ? Future.failedFuture(notHere(taskId)) : operation.on(task);
        });
    }

    private Failure notHere(String taskId) {
        return stopping
                ? new Failure(FailureCode.TASK_NOT_READY, "The server shuts down; nothing can be done with " + taskId)
                : new TooLate("The task " + taskId + " has ended; nothing can be done with it");
    }

    /** Stops all tasks but those that wait for their turn, and waits until the last of them has told its end, if the log lets it. */
    @Override
    public Future<?> stop() {
        stopping = true;
        tasks.values().removeIf(task -> task.beginning().leaveQueued());
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
            } catch (RuntimeException | Error e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }
}
