package io.penstock.engine.task.agent;

import io.penstock.engine.agent.AgentEvent;
import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers an agent that asks for permission: by policy, or by a person or program if policy says so. One question is open at a time; others
 * wait for its answer.
 */
final class AgentPermissions {

    /** Passes the answer on to the agent. */
    interface Answers {
        void answer(String questionId, boolean allow);
    }

    private record Open(AgentEvent.Asks asked, Verdict.Ask verdict, long timer) {}

    private final Vertx vertx;
    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final Supplier<Policy> policy;
    private final Answers answers;
    private final ArrayDeque<AgentEvent.Asks> waiting = new ArrayDeque<>();
    private @Nullable Open open;

    AgentPermissions(Vertx vertx, TaskRecord record, ToolTaskSpawned spec, Supplier<Policy> policy, Answers answers) {
        this.vertx = vertx;
        this.record = record;
        this.spec = spec;
        this.policy = policy;
        this.answers = answers;
    }

    boolean isOpen() {
        return open != null;
    }

    void ask(AgentEvent.Asks asked) {
        if (open != null) {
            if (waiting.size() >= AgentLimits.WAITING_QUESTIONS) {
                answers.answer(asked.questionId(), false);
            } else {
                waiting.add(asked);
            }
            return;
        }
        Verdict verdict = verdict(asked);
        record.write(verdict.frame(Operation.AGENT_TOOL, Actor.PROGRAM));
        switch (verdict) {
            case Verdict.Allow _ -> answers.answer(asked.questionId(), true);
            case Verdict.Deny _ -> answers.answer(asked.questionId(), false);
            case Verdict.Ask ask -> await(asked, ask);
        }
    }

    /** What policy cannot read, such as arguments that are nested too deeply, it does not allow. */
    private Verdict verdict(AgentEvent.Asks asked) {
        PolicyQuestion question;
        try {
            question = question(asked);
        } catch (IllegalArgumentException e) {
            return new Verdict.Deny("arguments of tools", "the arguments of the tool cannot be read");
        }
        return policy.get().verdict(question);
    }

    private PolicyQuestion question(AgentEvent.Asks asked) {
        JsonObject args = asked.input().copy().put("title", asked.title()).put("agent_tool", asked.tool());
        return new PolicyQuestion(
                Operation.AGENT_TOOL,
                Actor.PROGRAM,
                spec.toolName(),
                ArgValues.of(new JsonText(args.encode())),
                TaskEnvironment.of(Map.of()),
                spec.executionMode(),
                spec.originSessionId(),
                spec.links() == null ? 0 : spec.links().depth());
    }

    private void await(AgentEvent.Asks asked, Verdict.Ask verdict) {
        if (record.reached().phase() != Phase.RUNNING) {
            answers.answer(asked.questionId(), false);
            return;
        }
        record.write(ToolTaskStatus.awaiting(
                TaskSentences.fitting(verdict.question() + ": " + asked.title()), Cause.POLICY, Actor.POLICY));
        long timer = vertx.setTimer(verdict.withinMs(), elapsed -> {
            if (open != null && open.asked() == asked) {
                answer(false, "no answer within " + verdict.withinMs() + " ms", Actor.SERVER);
            }
        });
        open = new Open(asked, verdict, timer);
    }

    /** Answers the open question; completes when the answer is recorded. */
    Future<Void> answer(boolean allow, String reason, Actor by) {
        Open answered = Objects.requireNonNull(open, "a question is open");
        close();
        Future<Frame> recorded = record.write(new TaskPolicyVerdict(
                Operation.AGENT_TOOL.wireName(),
                allow ? TaskPolicyVerdict.Verdict.ALLOW : TaskPolicyVerdict.Verdict.DENY,
                answered.verdict().rule(),
                reason,
                Actor.PROGRAM,
                Budgets.NONE,
                by));
        record.write(ToolTaskStatus.runningAgain(
                Objects.requireNonNull(record.reached().run().startedAtMs()), Cause.REQUEST));
        answers.answer(answered.asked().questionId(), allow);
        AgentEvent.Asks next = waiting.poll();
        while (next != null) {
            ask(next);
            next = open == null ? waiting.poll() : null;
        }
        return recorded.mapEmpty();
    }

    /** The turn is over: nobody waits for answers. */
    void drop() {
        if (open != null) {
            close();
            if (record.reached().phase() == Phase.AWAITING_INPUT) {
                record.write(ToolTaskStatus.runningAgain(
                        Objects.requireNonNull(record.reached().run().startedAtMs()), Cause.PROGRAM));
            }
        }
        waiting.clear();
    }

    private void close() {
        if (open != null) {
            vertx.cancelTimer(open.timer());
            open = null;
        }
    }
}
