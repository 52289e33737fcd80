package io.penstock.engine.pump;

import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.LaneKey;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.task.SpawnApproval;
import io.penstock.engine.task.TaskBudget;
import io.penstock.engine.task.TaskGate;
import io.penstock.engine.task.TaskOutput;
import io.penstock.engine.task.TaskOver;
import io.penstock.engine.task.TaskRecord;
import io.penstock.engine.task.TaskStream;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A shard, reached at its address on the event bus: owns its tasks, each from its first frame to its last, all on one thread. */
final class PumpVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(PumpVerticle.class);

    /** More than a task has between TERM and KILL, and for its last output. */
    private static final long STOP_MS = 15_000;

    private final String address;
    private final ShardServices parts;
    private final SpawnGate gate;
    private final ProgramLauncher starter;
    private final DescriptorReserve room;
    private final Map<String, TaskStream> tasks = new HashMap<>();
    private final Map<String, LaneSlot> places = new HashMap<>();
    private boolean stopping;

    /** @param address where requests for the shard are sent */
    PumpVerticle(ShardServices parts, String address) {
        this.address = address;
        this.parts = parts;
        this.gate = new SpawnGate(parts);
        this.starter = new ProgramLauncher(parts);
        this.room = new DescriptorReserve(parts.descriptors());
    }

    /**
     * Nothing of it is recorded yet.
     *
     * @param start empty if it waits for its turn, and what it is started with is kept in the queue
     */
    private record Prepared(TaskStream task, Optional<SpawnRequest> start) {}

    @Override
    public Future<?> start() {
        return Shards.serve(vertx.eventBus(), address, this::carryOut);
    }

    private Future<?> carryOut(ShardRequest request) {
        try {
            return switch (request) {
                case ShardRequest.Spawn spawn -> spawn(spawn.taskId(), spawn.request());
                case ShardRequest.Command command -> apply(command.command());
                case ShardRequest.State state -> Future.succeededFuture(state(state.taskId()));
                case ShardRequest.Living _ -> Future.succeededFuture(living());
                case ShardRequest.TakeUp task -> takeUp(task);
            };
        } catch (Failure e) {
            return Future.failedFuture(e);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }

    /** Starts a task if policy allows it; completes when its first frames are accepted, while the program is being started. */
    private Future<TaskState> spawn(String taskId, TaskRequest request) {
        return switch (gate.ask(request)) {
            // A lane is entered when the answer is yes: an open question takes no place in it.
            case Verdict.Ask verdict -> spawn(taskId, request, verdict);
            case Verdict.Allow verdict -> {
                try {
                    places.put(taskId, parts.lanes().enter(LaneKey.of(request.originSessionId())));
                } catch (Failure full) {
                    yield gate.refuse(taskId, request, String.valueOf(full.getMessage()));
                }
                if (!Objects.requireNonNull(places.get(taskId)).isWaiting()
                        && !parts.descriptors().reserveStart(taskId)) {
                    remove(taskId);
                    yield gate.refuse(taskId, request, parts.descriptors().sentence());
                }
                yield spawn(taskId, request, verdict);
            }
            case Verdict.Deny denied -> gate.refuse(taskId, request, denied);
        };
    }

    private Future<TaskState> spawn(String taskId, TaskRequest request, Verdict.Accept verdict) {
        var budget = new TaskBudget(
                verdict.budgets(), verdict.rule(), request.timeout().toMillis());
        LaneSlot place = places.get(taskId);
        return vertx.executeBlocking(() -> starter.prepare(taskId, request, budget, place), false)
                .map(Objects::requireNonNull)
                .compose(start -> prepare(taskId, request, verdict, budget).map(task -> new Prepared(task, start)))
                .onFailure(e -> {
                    remove(taskId);
                    endsForGood(taskId);
                })
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.QUOTA_EXCEEDED
                        ? gate.refuse(taskId, request, String.valueOf(e.getMessage()))
                        : Future.failedFuture(e))
                .compose(prepared -> begin(taskId, request, prepared, verdict, budget));
    }

    private Future<TaskState> begin(
            String taskId, TaskRequest request, Prepared prepared, Verdict.Accept verdict, TaskBudget budget) {
        TaskStream task = prepared.task();
        adopt(taskId, task);
        return task.beginning().record(verdict).compose(first -> switch (verdict) {
            case Verdict.Allow _ -> {
                if (prepared.start().isEmpty()) {
                    LaneSlot place = Objects.requireNonNull(places.get(taskId));
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
            remove(taskId);
            if (over.succeeded()) {
                parts.ended().put(taskId, over.result());
                endsForGood(taskId);
            } else {
                log.error("Task {} is over, but that is not recorded; the next start tells it", taskId, over.cause());
                note(taskId, () -> starter.leaveForTheNextStart(taskId));
            }
        });
    }

    private void remove(String taskId) {
        parts.descriptors().endStart(taskId);
        LaneSlot place = places.remove(taskId);
        if (place != null) {
            parts.lanes().release(place);
        }
    }

    private Future<TaskStream> prepare(String taskId, TaskRequest request, Verdict.Accept verdict, TaskBudget budget) {
        TaskOutput output = TaskOutput.create(
                parts.floods(), parts.artifacts(), taskId, request.mode(), request.artifactMaxBytes(), request.keep());
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
                    request.label(),
                    Objects.requireNonNullElse(verdict.recordInput(), request.recordInput()),
                    request.keep());
        } catch (IllegalArgumentException e) {
            output.discard();
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        }
        return parts.log()
                .create(StreamId.task(taskId))
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
    private SpawnApproval.Next allowed(
            String taskId, TaskStream task, TaskRequest request, Optional<SpawnRequest> start, TaskBudget budget) {
        LaneSlot place = parts.lanes().enterAccepted(LaneKey.of(request.originSessionId()));
        places.put(taskId, place);
        return place.isWaiting()
                ? new SpawnApproval.Next(
                        Phase.QUEUED,
                        () -> queue(taskId, task, new QueuedSpawn(place.arrival(), request, budget), place))
                : new SpawnApproval.Next(Phase.STARTING, () -> run(taskId, task, start));
    }

    private void queue(String taskId, TaskStream task, QueuedSpawn spawn, LaneSlot place) {
        onWorker(() -> starter.keepAccepted(taskId, spawn))
                .onSuccess(kept -> task.beginning().queue(place, () -> run(taskId, task, Optional.empty())))
                .onFailure(e -> task.beginning().failed(e));
    }

    private Future<TaskState> takeUp(ShardRequest.TakeUp queued) {
        String taskId = queued.taskId();
        ToolTaskSpawned spec = Objects.requireNonNull(queued.state().spec());
        TaskOutput output;
        try {
            output = TaskOutput.create(
                    parts.floods(),
                    parts.artifacts(),
                    taskId,
                    spec.executionMode(),
                    spec.artifactMaxBytes(),
                    spec.keep());
        } catch (RuntimeException e) {
            queued.writer().close();
            throw e;
        }
        var record = new TaskRecord(queued.writer(), parts.clockMs(), queued.state());
        TaskStream task = stream(record, output, spec, queued.budget());
        places.put(taskId, queued.slot());
        adopt(taskId, task);
        return task.beginning().queue(queued.slot(), () -> run(taskId, task, Optional.empty()));
    }

    private void run(String taskId, TaskStream task, Optional<SpawnRequest> start) {
        task.starting().close();
        room.of(vertx, taskId, task.beginning()::isStopped).onComplete(there -> {
            if (there.failed()) {
                task.notStarted(there.cause());
            } else if (task.beginning().isStopped()) {
                parts.descriptors().endStart(taskId);
                task.notStarted(new TaskOver("stopped before it was started"));
            } else {
                start(taskId, task, start);
            }
        });
    }

    private void start(String taskId, TaskStream task, Optional<SpawnRequest> start) {
        // In no order: one program that is slow to start delays no other.
        vertx.executeBlocking(() -> starter.start(taskId, start), false).onComplete(started -> {
            parts.descriptors().endStart(taskId);
            RunningProcess program = started.result();
            if (program != null) {
                task.started(program);
            } else {
                task.notStarted(started.cause());
            }
        });
    }

    private void endsForGood(String taskId) {
        note(taskId, () -> starter.endsForGood(taskId));
    }

    /** Nobody waits for it. */
    private void note(String taskId, LiveTaskNote noting) {
        onWorker(noting)
                .onFailure(e -> log.error(
                        "What is noted of task {} on the disk cannot be changed; the next start goes by what is there",
                        taskId,
                        e));
    }

    private interface LiveTaskNote {
        void note() throws IOException;
    }

    private Future<?> onWorker(LiveTaskNote noting) {
        return vertx.executeBlocking(
                () -> {
                    noting.note();
                    return null;
                },
                false);
    }

    private @Nullable TaskState state(String taskId) {
        TaskStream task = tasks.get(taskId);
        return task == null ? null : task.state();
    }

    private List<LiveTask> living() {
        return tasks.entrySet().stream()
                .map(task -> new LiveTask(
                        task.getKey(), task.getValue().state(), task.getValue().begunAtNanos()))
                .toList();
    }

    /** Fails with {@code TASK_NOT_READY} if the task does not live here. */
    private Future<?> apply(TaskCommand command) {
        TaskStream task = tasks.get(command.taskId());
        Actor actor = command.actor();
        if (task == null) {
            return Future.failedFuture(notHere(command.taskId()));
        }
        return switch (command) {
            case TaskCommand.WriteInput write -> task.stdin(write.bytes(), actor);
            case TaskCommand.Resize resize -> task.resize(resize.size(), actor);
            case TaskCommand.Signal signal -> task.signal(signal.signal(), actor);
            case TaskCommand.Answer answer -> task.beginning().answer(answer.allow(), answer.reason(), actor);
            case TaskCommand.Cancel cancel -> task.cancel(cancel.reason(), actor);
        };
    }

    private Failure notHere(String taskId) {
        return stopping
                ? new Failure(FailureCode.TASK_NOT_READY, "The server shuts down; nothing can be done with " + taskId)
                : TaskOver.onNoShard("The task " + taskId + " has ended; nothing can be done with it");
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
}
