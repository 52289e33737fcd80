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

    /** Of a spawn: the task begins, and its program is started at once or when somebody has said yes. */
    sealed interface Begins extends Verdict {
        Budgets budgets();
    }

    /** @param budgets within which a task may run; of no meaning for other operations than a spawn */
    record Allow(String rule, @Nullable String reason, Budgets budgets) implements Begins {
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

    /**
     * A person, or a program that stands for one, is asked. About spawns only.
     *
     * @param withinMs after which it is denied
     * @param budgets within which the task may run if the answer is yes
     */
    record Ask(String rule, String question, long withinMs, Budgets budgets) implements Begins {
        public Ask {
            check(rule, question);
            if (withinMs < 1 || withinMs > Limits.POLICY_ANSWER_MS) {
                throw new IllegalArgumentException(
                        "A question is open for 1 to " + Limits.POLICY_ANSWER_MS + " ms, not " + withinMs);
            }
        }

        @Override
        public String reason() {
            return question;
        }

        @Override
        public TaskPolicyVerdict frame(Operation operation, Actor askedBy) {
            return new TaskPolicyVerdict(operation.wireName(), TaskPolicyVerdict.Verdict.ASK, rule, question, askedBy);
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
