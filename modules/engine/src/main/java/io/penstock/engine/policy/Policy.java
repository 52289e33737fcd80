package io.penstock.engine.policy;

import io.penstock.frames.Limits;
import io.penstock.frames.WholeCharacters;
import java.util.List;

/**
 * The rules at one moment. Immutable, so any thread can query it.
 *
 * @param name its name for people
 * @param rules in order: the first rule that matches a question decides it
 * @param otherwise the verdict if no rule matches
 */
public record Policy(String name, List<Rule> rules, Verdict otherwise) {

    /** For a server reachable from its own machine only: every caller may do everything. */
    public static final Policy LOCAL = Profile.LOCAL.with(List.of());

    public Policy {
        rules = List.copyOf(rules);
    }

    public Verdict verdict(PolicyQuestion question) {
        for (Rule rule : rules) {
            try {
                if (rule.matches().test(question)) {
                    return rule.decision(question);
                }
            } catch (ConditionFailed e) {
                // Neither true nor false: to continue would be to guess that the rule does not match.
                return new Verdict.Deny(rule.name(), failed(e));
            }
        }
        return otherwise;
    }

    private static String failed(ConditionFailed failure) {
        String reason = "its condition cannot be evaluated: " + failure.getMessage();
        return WholeCharacters.beginning(reason, Limits.POLICY_REASON_CHARS);
    }
}
