package io.penstock.engine.policy;

import java.util.function.Predicate;

/**
 * Decides the questions that it is about.
 *
 * @param isAbout called on many threads at once, and before every operation: it must be fast, and must not block. Where it has no answer, it
 *     fails with ConditionFailed
 */
public record Rule(Predicate<PolicyQuestion> isAbout, Verdict verdict) {

    public String name() {
        return verdict.rule();
    }
}
