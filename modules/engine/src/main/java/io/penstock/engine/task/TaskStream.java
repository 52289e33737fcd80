package io.penstock.engine.task;

import io.penstock.engine.launch.LaunchedProgram;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.task.agent.AgentEnd;
import io.penstock.engine.task.agent.AgentRun;
import io.penstock.engine.task.matching.OutputMatching;
import io.penstock.engine.task.matching.TaskWatchers;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A living task: the only writer of its stream, and the owner of its program. Everything happens on its shard's context, so
 * frames are in the order of the events.
 */
public final class TaskStream implements RunningProcess.Listener {

    /** Between the end of the input of an agent that has settled, and its stop. */
    private static final long AGENT_CLOSE_MS = 2_000;

    private final Vertx vertx;
    private final Context context;
    private final TaskRecord record;
    private final TaskOutput output;
    private final TaskGate gate;
    private final TaskControl controls;
    private final ToolTaskSpawned spec;
    private final TaskBudget budget;
    private final TaskStart start;
    private final StartBarrier barrier;
    private final OutputPace pace;
    private final InputWatch watch;
    private final UsageRecord usage;
    private final OutputMatching matching;
    private final TaskWatchers watchers;
    private final ExitRace exitRace;
    private final Promise<TaskState> ended = Promise.promise();
    private final Set<Channel> open;
    private final long createdAtNanos = System.nanoTime();

    private final TaskServices services;

    private @Nullable RunningProcess process;
    private @Nullable AgentRun agent;
    private @Nullable ProcessExit exit;
    private @Nullable FinalDrain rest;
    private long timer = -1;
    private boolean finishing;
    private boolean overBudget;
    private boolean killEscalated;

    TaskStream(
            Vertx vertx,
            TaskServices services,
            TaskRecord record,
            TaskOutput output,
            ToolTaskSpawned spec,
            TaskGate gate,
            TaskBudget budget,
            TaskStart start) {
        this.vertx = vertx;
        this.services = services;
        this.context = vertx.getOrCreateContext();
        this.record = record;
        this.output = output;
        this.gate = gate;
        this.spec = spec;
        this.budget = budget;
        this.start = start;
        this.barrier = new StartBarrier(vertx, record.stream().id());
        this.exitRace = new ExitRace(vertx, record.stream().id());
        this.pace = new OutputPace(vertx, services.outputRate(), this::resumeReading);
        this.watch = new InputWatch(vertx, record, this::isReadingPaused);
        this.usage = new UsageRecord(record, services.usage());
        this.matching = new OutputMatching(
                vertx,
                new OutputMatching.Services(
                        services.log(), services.artifacts(), services.sessions(), services.matching()),
                record,
                spec,
                this::isReadingPaused,
                this::outputMatched);
        this.watchers = new TaskWatchers(services.matching(), record, spec, matching);
        this.controls = new TaskControl(record, spec, gate, watch, matching);
        this.open = EnumSet.copyOf(spec.executionMode().channels());
        record.whenNoneWait(this::recordHasRoom);
    }

    public TaskState state() {
        return record.accepted();
    }

    /** The task that has started it; null for most. */
    public @Nullable String parentTaskId() {
        TaskLinks links = spec.links();
        return links == null ? null : links.parentTaskId();
    }

    public long createdAtNanos() {
        return createdAtNanos;
    }

    /** Completes when the last frame is accepted. */
    public Future<TaskState> ended() {
        return ended.future();
    }

    TaskRecord record() {
        return record;
    }

    ToolTaskSpawned spec() {
        return spec;
    }

    TaskGate gate() {
        return gate;
    }

    TaskBudget budget() {
        return budget;
    }

    /** Operations wait here while the program is being started. */
    StartBarrier barrier() {
        return barrier;
    }

    TaskWatchers watchers() {
        return watchers;
    }

    TaskEnding ending() {
        return new TaskEnding(vertx, record, output, matching, process);
    }

    /** Watches the started program, and records its events from now on. Kills it before throwing. */
    void attach(LaunchedProgram launched) {
        RunningProcess started = launched.process();
        try {
            watch(started);
            if (spec.agent() != null && record.reached().phase() == Phase.RUNNING) {
                agent = new AgentRun(
                        vertx, record, spec, services.policy(), services.agents(), launched, new AgentHost());
            }
        } catch (RuntimeException | Error e) {
            // Otherwise it would be neither watched nor ended.
            process = null;
            usage.stop();
            ProgramStop.killAll(vertx, started);
            started.close();
            throw e;
        }
    }

    private void watch(RunningProcess started) {
        boolean cancelled = record.reached().phase() == Phase.STOPPING;
        if (!cancelled) {
            record.write(ToolTaskStatus.running(record.now()));
        }
        process = started;
        started.attach(context, this);
        if (cancelled) {
            // While it was being started: nothing that it did is recorded.
            stopProgram(started);
            return;
        }
        if (started.containment() != spec.containment()) {
            record.write(new TaskNotice(
                    "containment",
                    "What it starts is held by its " + started.containment().wireName() + " only"));
        }
        timer = vertx.setTimer(budget.runsMs(), t -> timeIsUp());
        if (spec.executionMode() == ExecutionMode.PTY) {
            watch.start(started);
        }
        usage.start(context, started);
    }

    private void timeIsUp() {
        String why = budget.timeUsedUp();
        if (why != null && record.reached().phase() != Phase.STOPPING && exit == null) {
            record.write(new TaskNotice("time_budget", "Stopped, for " + why));
        }
        stop("timeout", Cause.TIMEOUT, Actor.SERVER);
    }

    /** Kills the program of a task whose end the stopping server can no longer wait for. */
    public void kill() {
        RunningProcess running = process;
        if (running != null) {
            running.killAll();
        }
    }

    @Override
    public void output(Channel channel, ByteBuffer bytes) {
        if (overBudget) {
            // Read together with the output that used up the budget, or drained before an operation.
            return;
        }
        pace.wrote(bytes.remaining());
        if (spec.agent() != null && channel == Channel.STDOUT) {
            // Its protocol, which is recorded as what it means.
            if (agent != null) {
                agent.read(bytes);
            }
        } else {
            matching.read(channel, bytes);
            output.write(channel, bytes, record);
            watch.moved();
        }
        RunningProcess running = process;
        if (running == null) {
            return;
        }
        if (record.broken() != null) {
            // A task that cannot be recorded must not continue: the next server ends it as lost.
            running.pause();
            ProgramStop.killAll(vertx, running);
            return;
        }
        checkBudget();
        if (isReadingPaused()) {
            running.pause();
        }
    }

    private boolean isReadingPaused() {
        return record.isHeldBack() || record.broken() != null || overBudget || pace.isHeld() || matching.isBehind();
    }

    private void recordHasRoom() {
        matching.recordHits();
        resumeReading();
    }

    /** Their hits are frames, which count. */
    private void outputMatched() {
        checkBudget();
        if (!isReadingPaused()) {
            resumeReading();
        }
    }

    private void resumeReading() {
        RunningProcess running = process;
        if (running != null && !finishing && !overBudget && !pace.isHeld() && !matching.isBehind()) {
            running.resume();
        }
    }

    private void checkBudget() {
        String why = overBudget
                ? null
                : budget.usedUp(record.reached(), gate.denials() + watch.framesWritten() + usage.framesWritten());
        if (why != null) {
            overBudget = true;
            matching.stop();
            stop(why, Cause.BUDGET, Actor.SERVER);
        }
    }

    @Override
    public void closed(Channel channel) {
        open.remove(channel);
        if (open.isEmpty() && exit != null) {
            finish();
        } else if (open.isEmpty()) {
            exitRace.outputsClosed();
        }
    }

    @Override
    public void exited(ProcessExit how) {
        exit = how;
        exitRace.exited();
        watch.stop();
        usage.stop();
        if (open.isEmpty() || overBudget) {
            // The rest in the pipes of a task over its budget is not read.
            finish();
            return;
        }
        boolean slowed = pace.isHeld();
        pace.release();
        if (slowed) {
            resumeReading();
        }
        RunningProcess gone = process;
        if (gone != null) {
            rest = new FinalDrain(vertx, record, gone, this::finish);
            rest.await();
        }
    }

    private void finish() {
        RunningProcess gone = process;
        ProcessExit how = exit;
        if (finishing || gone == null || how == null) {
            return;
        }
        finishing = true;
        vertx.cancelTimer(timer);
        if (rest != null) {
            rest.stop();
        }
        gone.pause();
        String error = killEscalated ? ProgramStop.KILLED_AFTER_GRACE : null;
        AgentEnd agentEnd = agent == null ? null : agent.ended(TaskSentences.of(how));
        ending().exited(how, error, agentEnd).onComplete(this::close);
    }

    /** Ends a task that was never recorded completely: its outputs are discarded. */
    void discard(Throwable why) {
        output.discard();
        close(Future.failedFuture(why));
    }

    /** @param last the state after the last frame */
    void close(AsyncResult<TaskState> last) {
        record.close();
        usage.stop();
        RunningProcess gone = process;
        if (gone != null) {
            gone.close();
        }
        ended.handle(last);
    }

    public Future<Long> stdin(byte[] input, Actor actor) {
        return barrier.then(() -> withinBudget(exitRace.explainRefusal(controls.stdin(alive(), input, actor))));
    }

    /** Writes these bytes, unless they are none, then closes the program's input. */
    public Future<Long> closeStdin(byte[] last, Actor actor) {
        return barrier.then(() -> withinBudget(exitRace.explainRefusal(controls.closeStdin(alive(), last, actor))));
    }

    public Future<Long> resize(TerminalSize size, Actor actor) {
        return barrier.then(() -> withinBudget(controls.resize(alive(), size, actor)));
    }

    public Future<Long> signal(String name, Actor actor) {
        return barrier.then(() -> withinBudget(controls.signal(alive(), name, actor)));
    }

    /** Adds a watcher, and searches the recorded output from {@code fromSeq} on if that is given. */
    public Future<Long> watch(WatchSpec added, @Nullable Long fromSeq, Actor actor) {
        return watchers.add(added, fromSeq, actor);
    }

    /** Records that the task must be kept, or need not, if policy allows that; completes with null if nothing changes. */
    public Future<@Nullable Long> pin(boolean pinned, Actor actor) {
        return record.reached().pinned() == pinned
                ? Future.succeededFuture()
                : gate.ask(
                                Operation.PIN,
                                actor,
                                () -> record.write(new TaskPinned(pinned, actor))
                                        .map(Frame::seq))
                        .map(seq -> seq);
    }

    private Future<Long> withinBudget(Future<Long> operation) {
        return operation.onSuccess(done -> checkBudget());
    }

    /** Null also for a task over its budget: no operation adds frames while it is being stopped. */
    private @Nullable RunningProcess alive() {
        return exit == null && !overBudget ? process : null;
    }

    /** Answers policy's question about the spawn, or about a tool of its agent, if policy allows the actor to. */
    public Future<Void> answer(boolean allow, String reason, Actor actor) {
        AgentRun asking = agent;
        return asking != null && asking.asks()
                ? gate.ask(Operation.ANSWER, actor, () -> asking.answer(allow, reason, actor))
                : start.answer(allow, reason, actor);
    }

    /** Gives the agent input; completes with the seq of the frame that records its turn. */
    public Future<Long> prompt(TaskTurnStarted.Kind kind, String text, @Nullable String promptId, Actor actor) {
        return barrier.then(
                () -> gate.ask(Operation.PROMPT, actor, () -> speaking().prompt(kind, text, promptId, actor)));
    }

    /** Ends the running turn of the agent early, if one is running. */
    public Future<Void> interrupt(Actor actor) {
        return gate.ask(Operation.PROMPT, actor, () -> {
            speaking().interrupt();
            return Future.succeededFuture();
        });
    }

    private AgentRun speaking() {
        if (spec.agent() == null) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + record.stream().id() + " runs a command; only an agent takes prompts");
        }
        AgentRun now = agent;
        if (now == null || exit != null || overBudget) {
            throw exit == null && process == null
                    ? new Failure(
                            FailureCode.TASK_NOT_READY,
                            "The task " + record.stream().id() + " is "
                                    + record.reached().phase().wireName() + "; its agent does not run yet")
                    : new TaskOver("The task " + record.stream().id() + " is ending");
        }
        return now;
    }

    /** What the conversation asks of the task. */
    private final class AgentHost implements AgentRun.Host {

        @Override
        public void settled() {
            RunningProcess running = process;
            if (running != null) {
                running.closeInput().onFailure(refused -> endAgent());
                vertx.setTimer(AGENT_CLOSE_MS, late -> endAgent());
            }
        }

        @Override
        public void broken() {
            endAgent();
        }

        private void endAgent() {
            RunningProcess running = process;
            if (running != null && exit == null && record.reached().phase() != Phase.STOPPING) {
                ProgramStop.start(vertx, running, () -> exit != null, () -> {});
            }
        }
    }

    /** Leaves a queued task as it is, for the next server to resume. Returns false, and does nothing, for other tasks. */
    public boolean leaveQueued() {
        return start.leaveQueued();
    }

    /** Stops the task, if policy allows the actor to. */
    public Future<Void> cancel(@Nullable String reason, Actor actor) {
        return isStoppedAlready()
                ? Future.succeededFuture()
                : gate.ask(Operation.CANCEL, actor, () -> stop(reason, Cause.REQUEST, actor));
    }

    private boolean isStoppedAlready() {
        Phase phase = record.reached().phase();
        return phase == Phase.STOPPING || phase == Phase.ENDED || exit != null;
    }

    /** Stops the task: TERM, some seconds of grace, KILL. A second call does nothing. */
    public Future<Void> stop(@Nullable String reason, Cause cause, Actor actor) {
        if (isStoppedAlready()) {
            return Future.succeededFuture();
        }
        RunningProcess running = process;
        if (running != null && !overBudget && !record.isCrowded() && !matching.isBehind()) {
            running.drainNow();
        }
        watch.stop();
        usage.stop();
        if (agent != null) {
            agent.interrupt();
        }
        Future<Void> recorded =
                record.write(new ToolTaskCancelRequested(reason, cause, actor)).mapEmpty();
        if (cause == Cause.TIMEOUT || cause == Cause.BUDGET) {
            // A request to cancel it says the same of what is below it.
            recorded.onSuccess(stopped ->
                    services.agents().children().cancelBelow(record.stream().id()));
        }
        if (running != null) {
            stopProgram(running);
        } else {
            start.stop();
        }
        return recorded;
    }

    /** Recorded before KILL is sent, since nothing can be recorded after the end. */
    private void termWasIgnored() {
        killEscalated = true;
        record.write(new TaskNotice("kill_escalated", ProgramStop.KILLED_AFTER_GRACE));
    }

    private void stopProgram(RunningProcess running) {
        ProgramStop.start(vertx, running, () -> exit != null, this::termWasIgnored);
        resumeReading();
    }
}
