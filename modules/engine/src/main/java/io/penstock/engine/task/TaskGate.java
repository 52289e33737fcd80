package io.penstock.engine.task;

import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks policy before each operation on a task, on the shard's thread, and records the answers. */
public final class TaskGate {

    /** A recorded allowance, so that it is recorded once. */
    private record RecordedVerdict(Operation operation, Actor actor, String rule) {}

    private final Supplier<Policy> policy;
    private final TaskRecord record;
    private final SpawnSpec spec;
    private final Set<RecordedVerdict> recorded = new HashSet<>();
    private @Nullable Map<String, Object> args;
    private int denials;

    public TaskGate(Supplier<Policy> policy, TaskRecord record, SpawnSpec spec) {
        this.policy = policy;
        this.record = record;
        this.spec = spec;
    }

    /** An operation that needs policy's consent. */
    public interface Allowed<T> {
        Future<T> operation();
    }

    /**
     * Carries the operation out, or records the denial and fails with {@link PolicyDenied}. Every denial is a frame, but an allowance
     * only the first time: operations are recorded with their actor anyway, and a frame before each keystroke would double the ledger.
     * After the end of a task, no verdict is a frame.
     */
    public <T> Future<T> ask(Operation operation, Actor actor, Allowed<T> allowed) {
        return switch (policy.get().verdict(PolicyQuestion.about(operation, actor, spec, args()))) {
            case Verdict.Allow allow -> {
                // Without room in the log, it is recorded the next time: a stop must not fail because of that.
                if (!isOver() && !record.isCrowded() && isFirst(new RecordedVerdict(operation, actor, allow.rule()))) {
                    record.write(allow.frame(operation, actor));
                }
                yield allowed.operation();
            }
            case Verdict.Ask ask ->
                throw new IllegalStateException("Only spawns wait for an answer, but " + ask.rule() + " asks");
            case Verdict.Deny deny when isOver() -> Future.failedFuture(denied(operation, deny));
            case Verdict.Deny deny -> {
                if (record.isCrowded()) {
                    yield Future.failedFuture(record.noRoom());
                }
                denials++;
                yield record.write(deny.frame(operation, actor))
                        .compose(written -> Future.failedFuture(denied(operation, deny)));
            }
        };
    }

    private boolean isOver() {
        return record.reached().phase() == Phase.ENDED;
    }

    private PolicyDenied denied(Operation operation, Verdict.Deny deny) {
        return new PolicyDenied(record.stream().id(), operation, deny);
    }

    /** Frames of denied operations. They do not count for the task's budget, which callers without rights could use up otherwise. */
    int denials() {
        return denials;
    }

    private boolean isFirst(RecordedVerdict allowance) {
        if (recorded.size() >= Limits.POLICY_TOLD) {
            recorded.clear();
        }
        return recorded.add(allowance);
    }

    /** Parsed on first use: most tasks are never controlled. */
    private Map<String, Object> args() {
        Map<String, Object> known = args;
        if (known == null) {
            known = ArgValues.of(spec.args());
            args = known;
        }
        return known;
    }
}
