package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of policy on an operation on the task.
 *
 * @param operation the operation: spawn, stdin, signal, …
 * @param rule the name of the rule that decided
 * @param budgets the task's budgets; none unless a spawn was allowed
 * @param answeredBy the actor who answered the question of a rule, or the server if nobody did in time; else null
 */
public record TaskPolicyVerdict(
        String operation,
        Verdict verdict,
        String rule,
        @Nullable String reason,
        Actor askedBy,
        Budgets budgets,
        @Nullable Actor answeredBy)
        implements TaskFrame {

    /** The verdicts of a policy. */
    public enum Verdict {
        ALLOW,
        DENY,
        ASK;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskPolicyVerdict {
        operation = Checks.notBlank(operation, "operation");
        rule = Checks.notBlank(rule, "rule");
        reason = Checks.textOrNull(reason, "reason");
    }

    /** Without budgets, like most verdicts. */
    public TaskPolicyVerdict(String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy) {
        this(operation, verdict, rule, reason, askedBy, Budgets.NONE);
    }

    /** Decided by the rule itself, without a question. */
    public TaskPolicyVerdict(
            String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy, Budgets budgets) {
        this(operation, verdict, rule, reason, askedBy, budgets, null);
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_POLICY_VERDICT;
    }
}
