package io.penstock.engine.policy;

import io.penstock.frames.Limits;
import java.util.List;

/**
 * The rules of one moment. Immutable, so that it is asked on whatever thread has a question.
 *
 * @param name by which people know it
 * @param rules in their order: the first that is about a question decides it
 * @param otherwise what holds where no rule is about the question
 */
public record Policy(String name, List<Rule> rules, Verdict otherwise) {

    /** For a server that only its own machine reaches: whoever may ask at all may do everything. */
    public static final Policy LOCAL = Profile.LOCAL.with(List.of());

    public Policy {
        rules = List.copyOf(rules);
    }

    public Verdict verdict(PolicyQuestion question) {
        for (Rule rule : rules) {
            try {
                if (rule.isAbout().test(question)) {
                    return rule.verdict();
                }
            } catch (ConditionFailed e) {
                // Neither yes nor no: to go on would be to guess that it is not what the rule was made for.
                return new Verdict.Deny(rule.name(), failed(e));
            }
        }
        return otherwise;
    }

    private static String failed(ConditionFailed failure) {
        String why = "its condition has no answer to this: " + failure.getMessage();
        return why.substring(0, Math.min(why.length(), Limits.POLICY_REASON_CHARS));
    }
}
