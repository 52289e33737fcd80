package io.penstock.engine.policy;

import java.util.function.Predicate;

/**
 * Decides the questions that it matches.
 *
 * @param matches whether the rule matches; called on many threads and before every operation, so it must be fast and must not block.
 *     Throws ConditionFailed if it has no answer
 * @param environment the variables that a spawn allowed by the rule may request
 */
public record Rule(Predicate<PolicyQuestion> matches, Verdict verdict, AcceptedEnvironment environment) {

    public Rule(Predicate<PolicyQuestion> isAbout, Verdict verdict) {
        this(isAbout, verdict, AcceptedEnvironment.ANY);
    }

    /** The verdict on a question that the rule matches. */
    Verdict decision(PolicyQuestion question) {
        if (question.operation() != Operation.SPAWN || !(verdict instanceof Verdict.Accept)) {
            return verdict;
        }
        String refusal = environment.refusal(question.environment());
        return refusal == null ? verdict : new Verdict.Deny(name(), refusal);
    }

    public String name() {
        return verdict.rule();
    }
}
