package io.penstock.engine.task;

import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks policy before anything is done to a task, on the task's own thread, and records what it answers. */
public final class TaskGate {

    /** An allowance as it is told: the same one again would tell nothing new. */
    private record RecordedVerdict(Operation operation, Actor actor, String rule) {}

    private final Supplier<Policy> policy;
    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final Set<RecordedVerdict> told = new HashSet<>();
    private @Nullable Map<String, Object> args;
    private int denials;

    public TaskGate(Supplier<Policy> policy, TaskRecord record, ToolTaskSpawned spec) {
        this.policy = policy;
        this.record = record;
        this.spec = spec;
    }

    /** What is done if it is allowed. */
    interface Allowed<T> {
        Future<T> operation();
    }

    /**
     * Does it, or fails with {@link PolicyDenied} once that is recorded. Every denial is a frame. An allowance is one the first time
     * only: what is done is recorded as such with its actor, and a frame before every keystroke would double the ledger.
     */
    <T> Future<T> ask(Operation operation, Actor actor, Allowed<T> allowed) {
        return switch (policy.get().verdict(question(operation, actor))) {
            case Verdict.Allow allow -> {
                // Where the log has no room it is told the next time: a stop must not fail for want of room.
                if (!record.isCrowded() && isNews(new RecordedVerdict(operation, actor, allow.rule()))) {
                    record.write(allow.frame(operation, actor));
                }
                yield allowed.operation();
            }
            case Verdict.Ask ask ->
                throw new IllegalStateException("Only spawns wait for an answer, but " + ask.rule() + " asks");
            case Verdict.Deny deny -> {
                if (record.isCrowded()) {
                    yield Future.failedFuture(record.noRoom());
                }
                denials++;
                yield record.write(deny.frame(operation, actor))
                        .compose(recorded -> Future.failedFuture(
                                new PolicyDenied(record.stream().id(), operation, deny)));
            }
        };
    }

    /** Frames of operations that were not done. Those who may do nothing to a task shall not use up its budget. */
    int denials() {
        return denials;
    }

    private boolean isNews(RecordedVerdict allowance) {
        if (told.size() >= Limits.POLICY_TOLD) {
            told.clear();
        }
        return told.add(allowance);
    }

    /** Read when they are needed first: most tasks are never controlled. */
    private Map<String, Object> args() {
        Map<String, Object> known = args;
        if (known == null) {
            known = ArgValues.of(spec.args());
            args = known;
        }
        return known;
    }

    private PolicyQuestion question(Operation operation, Actor actor) {
        return new PolicyQuestion(
                operation,
                actor,
                spec.toolName(),
                args(),
                TaskEnvironment.recorded(args()),
                spec.executionMode(),
                spec.originSessionId(),
                0);
    }
}
