package io.penstock.engine.policy;

import io.penstock.frames.Budgets;
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
    public static final Policy LOCAL =
            new Policy("local", List.of(), new Verdict.Allow("default allow", null, Budgets.NONE));

    public Policy {
        rules = List.copyOf(rules);
    }

    public Verdict verdict(PolicyQuestion question) {
        for (Rule rule : rules) {
            if (rule.isAbout().test(question)) {
                return rule.verdict();
            }
        }
        return otherwise;
    }
}
