package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import io.penstock.frames.RecordInput;
import io.penstock.frames.TaskPolicyVerdict;
import org.jspecify.annotations.Nullable;

/** The answer of policy, with the name of the rule that decided. */
public sealed interface Verdict {

    String rule();

    @Nullable
    String reason();

    private static void check(String rule, @Nullable String reason) {
        if (rule.isBlank() || rule.length() > Limits.POLICY_RULE_CHARS) {
            throw new IllegalArgumentException("a rule's name has 1 to " + Limits.POLICY_RULE_CHARS
                    + " characters, not " + rule.strip().length());
        }
        if (reason != null && (reason.isBlank() || reason.length() > Limits.POLICY_REASON_CHARS)) {
            throw new IllegalArgumentException("the reason of the rule \"" + rule + "\" has 1 to "
                    + Limits.POLICY_REASON_CHARS + " characters, not "
                    + reason.strip().length());
        }
    }

    /** The frame that records it. */
    TaskPolicyVerdict frame(Operation operation, Actor askedBy);

    /** For a spawn: the task is created, and its program is started at once or after a positive answer. */
    sealed interface Accept extends Verdict {
        Budgets budgets();

        /** Which input of the task is recorded, regardless of the request; null leaves it to the request. */
        @Nullable
        RecordInput recordInput();
    }

    /** @param budgets the task's budgets; meaningless for operations other than a spawn */
    record Allow(
            String rule,
            @Nullable String reason,
            Budgets budgets,
            @Nullable RecordInput recordInput) implements Accept {
        public Allow {
            check(rule, reason);
        }

        public Allow(String rule, @Nullable String reason, Budgets budgets) {
            this(rule, reason, budgets, null);
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
     * Asks a person, or a program on behalf of one. For spawns, and for tools that agents ask to use.
     *
     * @param withinMs time after which the spawn is denied
     * @param budgets the task's budgets if the answer is yes
     */
    record Ask(
            String rule,
            String question,
            long withinMs,
            Budgets budgets,
            @Nullable RecordInput recordInput) implements Accept {
        public Ask(String rule, String question, long withinMs, Budgets budgets) {
            this(rule, question, withinMs, budgets, null);
        }

        public Ask {
            check(rule, question);
            if (withinMs < 1 || withinMs > Limits.POLICY_ANSWER_MS) {
                throw new IllegalArgumentException(
                        "a question is open for 1 to " + Limits.POLICY_ANSWER_MS + " ms, not " + withinMs);
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
