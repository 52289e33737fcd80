package io.penstock.engine.task.agent;

import io.penstock.engine.agent.AgentEvent;
import io.penstock.engine.agent.AgentProtocol;
import io.penstock.engine.agent.AgentProtocols;
import io.penstock.engine.launch.AgentTurn;
import io.penstock.engine.launch.LaunchedProgram;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.AgentState;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentOpened;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.TaskTurnStarted.Kind;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of an agent: opens the conversation, gives the agent its turns and records what happens. Lives on its shard's context. The program
 * belongs to the task, which passes on its output and is told when to end it.
 */
public final class AgentRun implements AgentProtocol.Listener {

    /** What the run asks of its task. */
    public interface Host {

        /** Ends the program after its input: the agent has settled for good. */
        void settled();

        /** Stops the program: the conversation cannot go on. */
        void broken();
    }

    private enum State {
        OPENING,
        IDLE,
        TURN,
        /** The program is being ended. */
        CLOSING
    }

    /** Input that waits for its turn. */
    private record Input(Kind kind, String text, @Nullable String promptId, Actor actor, Promise<Long> started) {}

    private final Vertx vertx;
    private final TaskRecord record;
    private final AgentSpec spec;
    private final Host host;
    private final AgentProtocol protocol;
    private final AgentFrames frames;
    private final AgentPermissions permissions;
    private final AgentCalls calls;
    private final AgentInput input;
    private final ArrayDeque<Input> waiting = new ArrayDeque<>();
    private final long openTimer;
    private final long pollTimer;
    private State state = State.OPENING;
    private boolean interrupting;
    private @Nullable String error;
    private boolean over;

    /** Starts to speak with a program that has just been started. */
    public AgentRun(
            Vertx vertx,
            TaskRecord record,
            ToolTaskSpawned task,
            Supplier<Policy> policy,
            AgentServices services,
            LaunchedProgram program,
            Host host) {
        this.vertx = vertx;
        this.record = record;
        this.spec = Objects.requireNonNull(task.agent());
        this.host = host;
        this.input = new AgentInput(program.process(), this::fail);
        this.protocol = AgentProtocols.of(spec.protocol(), this);
        this.frames = new AgentFrames(record);
        this.permissions = new AgentPermissions(vertx, record, task, policy, protocol::answer);
        this.calls = new AgentCalls(vertx, services, record.stream().id(), task, frames, protocol, () -> over);
        AgentTurn first = Objects.requireNonNull(program.agent());
        if (first.prompt() != null) {
            waiting.add(new Input(first.kind(), first.prompt(), first.promptId(), task.actor(), Promise.promise()));
        }
        this.openTimer = vertx.setTimer(
                AgentLimits.OPEN_MS,
                late -> fail(
                        "the agent program did not open its conversation within " + AgentLimits.OPEN_MS / 1000 + " s"));
        this.pollTimer = vertx.setPeriodic(AgentLimits.POLL_MS, again -> poll());
        AgentState before = record.reached().agent();
        // Without a turn there is nothing to load: some programs keep a conversation only from its first message on.
        boolean loads = before.canLoad() && record.reached().turns() > 0;
        if (loads) {
            protocol.setCostBefore(record.reached().usage().costMicroUsd());
        }
        protocol.open(program.folder(), loads ? before.sessionId() : null);
    }

    /** Reads output of the program. */
    public void read(ByteBuffer bytes) {
        if (!over) {
            protocol.read(bytes);
            frames.flush();
        }
    }

    @Override
    public void send(byte[] lines) {
        input.write(lines);
    }

    @Override
    public void happened(AgentEvent event) {
        if (over) {
            return;
        }
        boolean inTurn = state == State.TURN && record.reached().phase().isLive();
        switch (event) {
            case AgentEvent.Opened opened -> opened(opened);
            case AgentEvent.Said said when inTurn -> frames.said(said);
            case AgentEvent.ToolCall call when inTurn -> frames.called(call);
            case AgentEvent.Plan plan when inTurn -> frames.planned(plan);
            case AgentEvent.Used used -> frames.used(used);
            case AgentEvent.Asks asks -> {
                if (inTurn && !interrupting) {
                    frames.flush();
                    permissions.ask(asks);
                } else {
                    protocol.answer(asks.questionId(), false);
                }
            }
            case AgentEvent.Calls call -> calls.carryOut(call);
            case AgentEvent.Settled settled -> settled(settled);
            case AgentEvent.Broken broken -> broken(broken);
            // Outside of a turn, as after an interruption, nobody asked for it.
            case AgentEvent.Said _, AgentEvent.ToolCall _, AgentEvent.Plan _ -> {}
        }
    }

    private void broken(AgentEvent.Broken broken) {
        if (broken.sessionMissing() && state == State.OPENING) {
            record.write(new TaskNotice(TaskNotice.SESSION_MISSING, TaskSentences.fitting(broken.reason())));
        }
        fail(broken.reason());
    }

    private void poll() {
        if (state == State.TURN && !permissions.isOpen()) {
            protocol.poll();
        }
    }

    private void opened(AgentEvent.Opened opened) {
        vertx.cancelTimer(openTimer);
        if (record.reached().phase() != Phase.RUNNING) {
            return;
        }
        state = State.IDLE;
        record.write(new TaskAgentOpened(
                TaskSentences.fitting(opened.sessionId()),
                opened.loaded(),
                opened.canLoad(),
                fitting(opened.agentName()),
                fitting(opened.agentVersion())));
        startNext();
    }

    private static @Nullable String fitting(@Nullable String text) {
        return text == null ? null : TaskSentences.fitting(text);
    }

    /** Gives the agent input, at once or when its turn comes; completes with the seq of the frame that records the turn. */
    public Future<Long> prompt(Kind kind, String text, @Nullable String promptId, Actor actor) {
        if (over || state == State.CLOSING || record.reached().phase() == Phase.STOPPING) {
            throw new TaskOver("The agent " + record.stream().id() + " has settled, and its program is being ended");
        }
        var given = new Input(kind, text, promptId, actor, Promise.promise());
        boolean busy = state == State.TURN || !waiting.isEmpty();
        if (busy && (kind == Kind.PROMPT || kind == Kind.RESUME)) {
            throw new Failure(
                    FailureCode.TASK_NOT_READY,
                    "The agent " + record.stream().id()
                            + " works on a turn; steer it, or try again when it has settled");
        }
        if (waiting.size() >= AgentLimits.WAITING_INPUTS && !(kind == Kind.STEER && canSteer())) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    AgentLimits.WAITING_INPUTS + " inputs wait for the agent "
                            + record.stream().id() + " already; try again when it has taken some");
        }
        if (kind == Kind.STEER && state == State.TURN) {
            steer(given);
        } else {
            waiting.add(given);
        }
        if (state == State.IDLE) {
            startNext();
        }
        return given.started().future();
    }

    /** Whether the agent takes a message during the running turn. */
    private boolean canSteer() {
        return state == State.TURN && protocol.canSteer() && !interrupting;
    }

    private void steer(Input correction) {
        if (canSteer()) {
            permissions.drop();
            begin(correction);
            protocol.steer(correction.text());
        } else {
            addBehindCorrections(correction);
            interruptTurn();
        }
    }

    /** Corrections come in their order, before everything else. */
    private void addBehindCorrections(Input correction) {
        List<Input> before = List.copyOf(waiting);
        waiting.clear();
        before.stream().filter(each -> each.kind() == Kind.STEER).forEach(waiting::add);
        waiting.add(correction);
        before.stream().filter(each -> each.kind() != Kind.STEER).forEach(waiting::add);
    }

    /** Ends the running turn early, if one is running. */
    public void interrupt() {
        if (state == State.TURN && !over) {
            interruptTurn();
        }
    }

    private void interruptTurn() {
        if (!interrupting) {
            interrupting = true;
            permissions.drop();
            protocol.interrupt();
        }
    }

    /** Whether a question of policy about the agent waits for an answer. */
    public boolean asks() {
        return permissions.isOpen();
    }

    public Future<Void> answer(boolean allow, String reason, Actor actor) {
        if (!asks()) {
            throw new TaskOver("The task " + record.stream().id() + " asks nothing; a question can be answered once");
        }
        return permissions.answer(allow, reason, actor);
    }

    private void startNext() {
        Input next = waiting.poll();
        if (next != null) {
            frames.begin();
            begin(next);
            protocol.prompt(next.text());
            steerWithWaiting();
        } else if (spec.afterTurn() == AgentSpec.AfterTurn.END
                && record.reached().turns() > 0
                && state == State.IDLE) {
            close();
        }
    }

    /** Corrections that came while no turn could be steered change the course of the one that has begun. */
    private void steerWithWaiting() {
        List<Input> corrections =
                waiting.stream().filter(each -> each.kind() == Kind.STEER).toList();
        waiting.removeAll(corrections);
        corrections.forEach(this::steer);
    }

    private void begin(Input given) {
        state = State.TURN;
        interrupting = false;
        Future<Frame> recorded = record.write(new TaskTurnStarted(
                record.reached().turns() + 1, given.kind(), given.text(), given.promptId(), given.actor()));
        recorded.map(Frame::seq).onComplete(given.started());
    }

    private void settled(AgentEvent.Settled settled) {
        frames.flush();
        permissions.drop();
        boolean stopping = record.reached().phase() == Phase.STOPPING;
        Input next = waiting.peek();
        if (next != null && next.kind() == Kind.STEER && !stopping) {
            // It replaces the turn that was interrupted for it.
            startNext();
            return;
        }
        String wrong = settled.error();
        if (wrong != null) {
            record.write(new TaskNotice(TaskNotice.TURN_FAILED, TaskSentences.fitting(wrong)));
        }
        recordSettled(wrong == null ? settled.stopReason() : "error");
        if (stopping) {
            return;
        }
        state = State.IDLE;
        interrupting = false;
        if (wrong != null && spec.afterTurn() == AgentSpec.AfterTurn.END) {
            fail("the agent's turn failed: " + wrong);
        } else {
            startNext();
        }
    }

    private void recordSettled(String stopReason) {
        String word = stopReason.isBlank() ? "unknown" : TaskSentences.fitting(stopReason);
        record.write(new TaskTurnSettled(record.reached().turns(), word, frames.result()));
    }

    private void close() {
        state = State.CLOSING;
        host.settled();
    }

    private void fail(String why) {
        if (!over && state != State.CLOSING) {
            error = TaskSentences.fitting(why);
            end("broken");
            host.broken();
        }
    }

    /** The program has ended, and everything that it wrote is read; says how the run ended. */
    public AgentEnd ended(String how) {
        if (!over) {
            String when = switch (state) {
                case OPENING -> "before its conversation was open";
                case TURN -> "during a turn";
                case IDLE -> spec.afterTurn() == AgentSpec.AfterTurn.STAY ? "while it waited for a turn" : null;
                case CLOSING -> null;
            };
            if (when != null) {
                error = TaskSentences.fitting("the agent program ended " + when + ": " + how);
            }
            end("ended");
        }
        return new AgentEnd(error);
    }

    /** Nothing more is spoken. The result of a running turn is what the agent has said so far. */
    private void end(String stopReason) {
        over = true;
        vertx.cancelTimer(openTimer);
        vertx.cancelTimer(pollTimer);
        protocol.ended();
        input.close();
        frames.flush();
        permissions.drop();
        if (record.reached().runningTurn() != null && record.reached().phase() != Phase.AWAITING_INPUT) {
            recordSettled(stopReason);
        }
        state = State.CLOSING;
        var gone = new TaskOver("The agent " + record.stream().id() + " has ended");
        waiting.forEach(each -> each.started().tryFail(gone));
        waiting.clear();
        calls.end();
    }
}
