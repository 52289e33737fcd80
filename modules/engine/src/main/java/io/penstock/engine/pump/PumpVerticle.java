package io.penstock.engine.pump;

import io.penstock.engine.address.Service;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.task.TaskOwner;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.TaskStart;
import io.penstock.engine.task.TaskStream;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A shard: the living tasks whose ids belong to it, all on one thread. It is reached at its address on the event bus. */
final class PumpVerticle extends VerticleBase implements TaskOwner {

    private static final Logger log = LoggerFactory.getLogger(PumpVerticle.class);

    /** More than a task needs between TERM and KILL, and for its last output. */
    private static final long STOP_MS = 15_000;

    private final TaskServices services;
    private final EndedStateCache ended;
    private final String address;
    private final Map<String, TaskStream> tasks = new HashMap<>();
    /** What follows from an end completes on threads of sessions and workers. */
    private final Map<String, Future<?>> settling = new ConcurrentHashMap<>();

    /** Of the tasks that have one. */
    private final Map<String, String> parents = new HashMap<>();

    private boolean stopping;

    /** @param address where requests for the shard are sent */
    PumpVerticle(TaskServices services, EndedStateCache ended, String address) {
        this.services = services;
        this.ended = ended;
        this.address = address;
    }

    @Override
    public Future<?> start() {
        return Service.serve(vertx.eventBus(), address, this::carryOut);
    }

    private Future<?> carryOut(ShardRequest<?> request) {
        return switch (request) {
            case ShardRequest.Spawn spawn -> newTask(spawn.taskId()).spawn(spawn.request());
            case ShardRequest.Resume resume -> newTask(resume.task().taskId()).resume(resume.task());
            case ShardRequest.Settled task -> settled(task.taskId());
            case ShardRequest.Closed task -> closed(task.taskId());
            case ShardRequest.Command command -> apply(command.command());
            case ShardRequest.State state -> Future.succeededFuture(state(state.taskId()));
            case ShardRequest.Living _ -> Future.succeededFuture(living());
            case ShardRequest.Parents _ -> Future.succeededFuture(Map.copyOf(parents));
        };
    }

    private Future<@Nullable Void> closed(String taskId) {
        TaskStream living = tasks.get(taskId);
        return living == null || living.state().phase() != Phase.ENDED
                ? Future.succeededFuture()
                : living.ended().transform(done -> Future.<@Nullable Void>succeededFuture());
    }

    private Future<@Nullable Void> settled(String taskId) {
        TaskStream living = tasks.get(taskId);
        boolean runs = living != null && living.state().phase() != Phase.ENDED;
        Future<?> pending = runs ? null : settling.get(taskId);
        return pending == null
                ? Future.succeededFuture()
                : pending.transform(done -> Future.<@Nullable Void>succeededFuture());
    }

    private TaskStart newTask(String taskId) {
        return new TaskStart(vertx, services, this, taskId);
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    @Override
    public void add(String taskId, TaskStream task, Future<?> settled) {
        tasks.put(taskId, task);
        settling.put(taskId, settled);
        settled.onComplete(done -> settling.remove(taskId, settled));
        String parent = task.parentTaskId();
        if (parent != null) {
            parents.put(taskId, parent);
        }
        task.ended().onComplete(end -> {
            tasks.remove(taskId);
            parents.remove(taskId);
            if (end.succeeded()) {
                ended.put(taskId, end.result());
            }
        });
    }

    private @Nullable TaskState state(String taskId) {
        TaskStream task = tasks.get(taskId);
        return task == null ? null : task.state();
    }

    private List<LiveTask> living() {
        return tasks.entrySet().stream()
                .map(task -> new LiveTask(
                        task.getKey(), task.getValue().state(), task.getValue().createdAtNanos()))
                .toList();
    }

    /** Fails with {@code TASK_NOT_READY} if the task does not live here. */
    private Future<?> apply(TaskCommand command) {
        TaskStream task = tasks.get(command.taskId());
        Actor actor = command.actor();
        if (task == null) {
            return command instanceof TaskCommand.Pin pin && !stopping
                    ? new EndedTaskWriter(services, pin.taskId())
                            .append(
                                    Operation.PIN,
                                    pin.actor(),
                                    state -> state.pinned() == pin.pinned()
                                            ? null
                                            : new TaskPinned(pin.pinned(), pin.actor()),
                                    notHere(pin.taskId()))
                            .onSuccess(done -> ended.remove(pin.taskId()))
                    : Future.failedFuture(notHere(command.taskId()));
        }
        return switch (command) {
            case TaskCommand.Prompt prompt -> task.prompt(prompt.kind(), prompt.text(), prompt.promptId(), actor);
            case TaskCommand.Interrupt _ -> task.interrupt(actor);
            case TaskCommand.WriteInput write -> task.stdin(write.bytes(), actor);
            case TaskCommand.CloseInput close -> task.closeStdin(close.last(), actor);
            case TaskCommand.Resize resize -> task.resize(resize.size(), actor);
            case TaskCommand.Signal signal -> task.signal(signal.signal(), actor);
            case TaskCommand.Answer answer -> task.answer(answer.allow(), answer.reason(), actor);
            case TaskCommand.Watch watch -> task.watch(watch.spec(), watch.fromSeq(), actor);
            case TaskCommand.Pin pin -> task.pin(pin.pinned(), actor);
            case TaskCommand.Cancel cancel -> task.cancel(cancel.reason(), actor);
        };
    }

    private Failure notHere(String taskId) {
        return stopping
                ? new Failure(FailureCode.TASK_NOT_READY, "The server shuts down; nothing can be done with " + taskId)
                : TaskOver.onNoShard("The task " + taskId + " has ended; nothing can be done with it");
    }

    /** Stops all tasks except queued ones, and waits until their ends are recorded, if the log permits. */
    @Override
    public Future<?> stop() {
        stopping = true;
        tasks.entrySet().removeIf(task -> {
            boolean left = task.getValue().leaveQueued();
            if (left) {
                // It never ends here.
                settling.remove(task.getKey());
            }
            return left;
        });
        List<TaskStream> all = List.copyOf(tasks.values());
        all.forEach(task -> task.stop("the server shuts down", Cause.SHUTDOWN, Actor.SERVER));
        Promise<Void> stopped = Promise.promise();
        long timer = vertx.setTimer(STOP_MS, late -> {
            log.warn("The ends of {} tasks are not recorded; the next server records them", tasks.size());
            tasks.values().forEach(TaskStream::kill);
            stopped.tryComplete();
        });
        Future.join(all.stream().map(TaskStream::ended).toList())
                .transform(over -> Future.join(List.copyOf(settling.values())))
                .onComplete(settled -> {
                    vertx.cancelTimer(timer);
                    stopped.tryComplete();
                });
        return stopped.future();
    }
}
