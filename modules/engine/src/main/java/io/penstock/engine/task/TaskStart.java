package io.penstock.engine.task;

import io.penstock.engine.launch.LaunchedProgram;
import io.penstock.engine.launch.PreparedProgram;
import io.penstock.engine.launch.QueuedSpawn;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.task.agent.Wakes;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSession;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskQueued;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts one task: policy, lane, record, then an approval and a turn if it needs them, then its program. Lives on its shard's
 * context.
 */
public final class TaskStart {

    private static final Logger log = LoggerFactory.getLogger(TaskStart.class);

    private sealed interface State {}

    /** A step is being carried out. If the task is stopped meanwhile, the next step ends it. */
    private record Preparing() implements State {}

    /** @param prepared the program, to launch if the answer is yes */
    private record AwaitingApproval(
            TaskRequest request, Verdict.Ask verdict, Optional<PreparedProgram> prepared, long timer)
            implements State {}

    private record AwaitingTurn() implements State {}

    private record Launching() implements State {}

    private record Started() implements State {}

    /** Ended without a program, or left to the next server. */
    private record NeverStarted() implements State {}

    private final Vertx vertx;
    private final Context context;
    private final TaskOwner owner;
    private final String taskId;
    private final SpawnGate gate;
    private final TaskCreation creation;
    private final TaskResources resources;
    private final TaskSession session;
    private final Wakes wakes;
    private State state = new Preparing();
    private @Nullable TaskStream stream;

    public TaskStart(Vertx vertx, TaskServices services, TaskOwner owner, String taskId) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.owner = owner;
        this.taskId = taskId;
        this.gate = new SpawnGate(services.addresses().policy(), services.log(), services.clockMs());
        this.creation = new TaskCreation(vertx, services, owner, taskId);
        this.resources = new TaskResources(vertx, services, taskId);
        this.session = new TaskSession(services.sessions(), taskId);
        this.wakes = services.agents().wakes();
    }

    /** Completes when the task's first frames are accepted; its program is started afterwards. */
    public Future<TaskState> spawn(TaskRequest request) {
        return gate.ask(request)
                .compose(verdict -> switch (verdict) {
                    case Verdict.Deny denied -> gate.refuse(taskId, request, denied);
                    case Verdict.Allow allowed ->
                        createIfRoom(request, allowed, () -> resources.enterLane(request.lane()));
                    // It takes no slot before the answer is yes.
                    case Verdict.Ask ask -> createIfRoom(request, ask, () -> resources.enterQuestions(request));
                })
                .compose(accepted -> session.started().transform(known -> Future.succeededFuture(accepted)));
    }

    /** Continues with a task that was queued when the server before this one ended, or queues another run of it. */
    public Future<TaskState> resume(QueuedTask task) {
        TaskStream resumed = creation.resume(task, this);
        resources.restore(task.slot());
        adopt(resumed);
        Future<?> watched =
                resumed.watchers().begin(task.unrecorded(), resumed.spec().actor());
        return awaitTurn().compose(queued -> watched.map(queued));
    }

    private Future<TaskState> createIfRoom(TaskRequest request, Verdict.Accept verdict, Runnable reserve) {
        try {
            reserve.run();
        } catch (Failure full) {
            return gate.refuse(taskId, request, String.valueOf(full.getMessage()));
        }
        return create(request, verdict);
    }

    private Future<TaskState> create(TaskRequest request, Verdict.Accept verdict) {
        var budget = new TaskBudget(
                verdict.budgets(), verdict.rule(), request.timeout().toMillis());
        return resources
                .prepare(request, budget)
                .compose(prepared -> creation.create(request, verdict, budget, this)
                        .map(created -> {
                            adopt(created);
                            return prepared;
                        }))
                .recover(e -> {
                    resources.release();
                    return resources.forgetFile().transform(forgotten -> Future.failedFuture(e));
                })
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.QUOTA_EXCEEDED
                        ? gate.refuse(taskId, request, String.valueOf(e.getMessage()))
                                .map(refused -> Optional.<PreparedProgram>empty())
                        : Future.failedFuture(e))
                .compose(prepared -> record(request, verdict, prepared));
    }

    private void adopt(TaskStream created) {
        stream = created;
        owner.add(taskId, created, created.ended().transform(this::settle));
    }

    /** Completes when the next server has nothing to do for the task, or has to do the steps that failed here. */
    private Future<?> settle(AsyncResult<TaskState> end) {
        resources.release();
        if (end.failed()) {
            log.error("The end of task {} cannot be recorded; the next server records it", taskId, end.cause());
            return resources.leaveFileToNextServer();
        }
        // The file last: while it is there, the next server checks that the session has the end.
        return session.recordEnd(end.result())
                .compose(recorded -> wake(end.result()))
                .compose(woken -> resources.forgetFile());
    }

    private Future<?> wake(TaskState last) {
        TaskLinks links = last.spec() == null ? null : last.spec().links();
        return links == null || links.wake() == null ? Future.succeededFuture() : wakes.wake(taskId, last);
    }

    private TaskStream stream() {
        return Objects.requireNonNull(stream, "created before its first frame");
    }

    private TaskRecord record() {
        return stream().record();
    }

    private Future<TaskState> record(TaskRequest request, Verdict.Accept verdict, Optional<PreparedProgram> prepared) {
        ToolTaskSpawned spec = stream().spec();
        return record().write(spec)
                .compose(spawned -> record().write(verdict.frame(Operation.SPAWN, spec.actor())))
                .compose(recorded -> stream().watchers().begin(request.watch(), spec.actor()))
                .map(recorded -> record().accepted())
                .onFailure(this::abandon)
                .onSuccess(accepted -> session.recordStart(spec))
                .compose(accepted -> switch (verdict) {
                    case Verdict.Ask ask -> {
                        awaitApproval(request, ask, prepared);
                        yield Future.succeededFuture(accepted);
                    }
                    case Verdict.Allow _ -> {
                        if (prepared.isEmpty()) {
                            yield awaitTurn();
                        }
                        launch(prepared);
                        yield Future.succeededFuture(accepted);
                    }
                });
    }

    private void awaitApproval(TaskRequest request, Verdict.Ask verdict, Optional<PreparedProgram> prepared) {
        if (isStopped()) {
            endUnstarted();
            return;
        }
        record().write(ToolTaskStatus.awaiting(verdict.question(), Cause.POLICY, Actor.POLICY));
        long timer = vertx.setTimer(verdict.withinMs(), elapsed -> {
            if (state instanceof AwaitingApproval asked) {
                carryOut(asked, false, "no answer within " + verdict.withinMs() + " ms", Actor.SERVER);
            }
        });
        state = new AwaitingApproval(request, verdict, prepared, timer);
    }

    /** Answers policy's question, if policy allows the actor to. Completes when the answer is recorded. */
    Future<Void> answer(boolean allow, String reason, Actor actor) {
        if (!(state instanceof AwaitingApproval asked)) {
            throw new TaskOver("The task " + taskId + " asks nothing; a question can be answered once");
        }
        return stream()
                .gate()
                .ask(
                        Operation.ANSWER,
                        actor,
                        () -> carryOut(asked, allow, reason, actor).mapEmpty());
    }

    private Future<Frame> carryOut(AwaitingApproval asked, boolean allowed, String reason, Actor by) {
        vertx.cancelTimer(asked.timer());
        resources.leaveQuestions();
        state = new Preparing();
        Verdict.Ask verdict = asked.verdict();
        Future<Frame> recorded = record().write(new TaskPolicyVerdict(
                Operation.SPAWN.wireName(),
                allowed ? TaskPolicyVerdict.Verdict.ALLOW : TaskPolicyVerdict.Verdict.DENY,
                verdict.rule(),
                reason,
                asked.request().actor(),
                allowed ? verdict.budgets() : Budgets.NONE,
                by));
        if (allowed) {
            startApproved(asked, by);
        } else {
            end(stream().ending().denied("denied by " + by + ": " + reason, by));
        }
        return recorded;
    }

    /** An accepted spawn is no longer refused: if there is no room, it waits. */
    private void startApproved(AwaitingApproval asked, Actor by) {
        TaskRequest request = asked.request();
        LaneSlot entered = resources.enterLaneAccepted(request.lane());
        boolean waits = entered.isWaiting();
        record().write(waits ? ToolTaskStatus.queued(Cause.POLICY, by) : ToolTaskStatus.starting(Cause.POLICY, by));
        if (!waits && !request.isKeptWhileRunning()) {
            launch(asked.prepared());
            return;
        }
        var queued = new QueuedSpawn(entered.arrival(), request, stream().budget());
        resources
                .enqueueAccepted(queued)
                .onSuccess(written -> {
                    if (waits) {
                        awaitTurn();
                    } else {
                        launch(Optional.empty());
                    }
                })
                .onFailure(this::fail);
    }

    /** Completes when it is recorded that the task is queued. */
    private Future<TaskState> awaitTurn() {
        if (isStopped()) {
            endUnstarted();
            return Future.succeededFuture(record().accepted());
        }
        LaneSlot queued = resources.slot();
        state = new AwaitingTurn();
        // A task whose turn had come before the last server ended is in the phase STARTING, and gets its turn again.
        Future<?> recorded = record().reached().phase() == Phase.QUEUED
                ? record().write(new TaskQueued(queued.laneName(), queued.ahead()))
                : Future.succeededFuture();
        queued.whenTurnComes().onSuccess(admitted -> context.runOnContext(here -> takeTurn()));
        return recorded.map(written -> record().accepted()).onFailure(this::abandon);
    }

    private void takeTurn() {
        if (!(state instanceof AwaitingTurn)) {
            return;
        }
        state = new Preparing();
        try {
            if (record().reached().phase() == Phase.QUEUED) {
                record().write(ToolTaskStatus.starting(Cause.QUOTA, Actor.SERVER));
            }
            launch(Optional.empty());
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** @param prepared empty if the program is in the queue */
    private void launch(Optional<PreparedProgram> prepared) {
        state = new Launching();
        stream().barrier().close();
        resources.launch(prepared, this::isStopped).onComplete(this::launched);
    }

    private void launched(AsyncResult<LaunchedProgram> result) {
        LaunchedProgram program = result.result();
        try {
            if (program == null) {
                fail(result.cause());
            } else if (state instanceof Launching) {
                state = new Started();
                stream().attach(program);
            } else {
                // Abandoned meanwhile, because nothing can be recorded of it.
                ProgramStop.killAll(vertx, program.process());
                program.process().close();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            stream().barrier().open();
        }
    }

    /** Ends a task that waits for an answer or its turn; called when its stop is recorded. */
    void stop() {
        switch (state) {
            case AwaitingApproval asked -> {
                vertx.cancelTimer(asked.timer());
                endUnstarted();
            }
            case AwaitingTurn _ -> endUnstarted();
            case Preparing _, Launching _, Started _, NeverStarted _ -> {}
        }
    }

    /** Leaves a queued task as it is, for the next server to resume. Returns false, and does nothing, for other tasks. */
    boolean leaveQueued() {
        if (!(state instanceof AwaitingTurn)) {
            return false;
        }
        state = new NeverStarted();
        record().close();
        return true;
    }

    private boolean isStopped() {
        return record().reached().phase() == Phase.STOPPING;
    }

    /** The program could not be started, or not be watched. */
    private void fail(Throwable why) {
        String reason = String.valueOf(why.getMessage());
        if (!(why instanceof SpawnFailure
                || why instanceof IOException
                || why instanceof Failure
                || why instanceof IllegalStateException)) {
            log.error("The start of task {} failed unexpectedly", taskId, why);
            reason = "The server could not start it: " + why;
        }
        Future<TaskState> ended;
        try {
            TaskEnding ending = stream().ending();
            ended = isStopped() ? ending.neverStarted() : ending.failed(reason);
        } catch (RuntimeException | Error e) {
            // The next server ends the task; until then it must not occupy a slot.
            abandon(e);
            return;
        }
        end(ended);
    }

    private void endUnstarted() {
        end(stream().ending().neverStarted());
    }

    private void end(Future<TaskState> ended) {
        state = new NeverStarted();
        ended.onComplete(stream()::close);
    }

    /** Nothing more can be recorded of the task. */
    private void abandon(Throwable why) {
        state = new NeverStarted();
        stream().discard(why);
    }
}
