package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Policy was asked about an operation on the task, and answered.
 *
 * @param operation what was to be done: spawn, stdin, signal, …
 * @param rule the name of the rule that decided
 * @param budgets that came with it; none unless a spawn was allowed
 * @param answeredBy who answered, where the rule was to ask somebody, or the server if nobody did; else null
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

    /** What a policy can say. */
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

    /** Without budgets, as most are. */
    public TaskPolicyVerdict(String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy) {
        this(operation, verdict, rule, reason, askedBy, Budgets.NONE);
    }

    /** As the rule itself has decided. */
    public TaskPolicyVerdict(
            String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy, Budgets budgets) {
        this(operation, verdict, rule, reason, askedBy, budgets, null);
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_POLICY_VERDICT;
    }
}
