package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskPolicyVerdict;
import org.jspecify.annotations.Nullable;

/** What policy answers, with the name of the rule that decided. */
public sealed interface Verdict {

    String rule();

    @Nullable
    String reason();

    private static void check(String rule, @Nullable String reason) {
        if (rule.isBlank() || rule.length() > Limits.POLICY_RULE_CHARS) {
            throw new IllegalArgumentException("A rule's name has 1 to " + Limits.POLICY_RULE_CHARS
                    + " characters, this one has " + rule.strip().length());
        }
        if (reason != null && (reason.isBlank() || reason.length() > Limits.POLICY_REASON_CHARS)) {
            throw new IllegalArgumentException("The reason of the rule \"" + rule + "\" has 1 to "
                    + Limits.POLICY_REASON_CHARS + " characters, not "
                    + reason.strip().length());
        }
    }

    /** The frame that tells of it. */
    TaskPolicyVerdict frame(Operation operation, Actor askedBy);

    /** @param budgets within which a task may run; of no meaning for other operations than a spawn */
    record Allow(String rule, @Nullable String reason, Budgets budgets) implements Verdict {
        public Allow {
            check(rule, reason);
        }

        @Override
        public TaskPolicyVerdict frame(Operation operation, Actor askedBy) {
            return new TaskPolicyVerdict(
                    operation.wireName(),
                    TaskPolicyVerdict.Verdict.ALLOW,
                    rule,
                    reason,
                    askedBy,
                    operation == Operation.SPAWN ? budgets : Budgets.NONE);
        }
    }

    record Deny(String rule, String reason) implements Verdict {
        public Deny {
            check(rule, reason);
        }

        @Override
        public TaskPolicyVerdict frame(Operation operation, Actor askedBy) {
            return new TaskPolicyVerdict(operation.wireName(), TaskPolicyVerdict.Verdict.DENY, rule, reason, askedBy);
        }
    }
}
