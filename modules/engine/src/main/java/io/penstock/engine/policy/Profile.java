package io.penstock.engine.policy;

import io.penstock.frames.Budgets;
import io.penstock.frames.ExecutionMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The rules that apply if no rule of a file decides. */
public enum Profile {
    /** Allows everything without limits: for the only user of a machine. */
    LOCAL("local", Budgets.NONE, List.of(), new Verdict.Allow("default allow", null, Budgets.NONE)),
    /** Denies every task that no rule allows; running tasks may be controlled. */
    SAFE(
            "safe",
            Budgets.NONE,
            List.of(
                    new Rule(
                            question -> question.operation() == Operation.WEBHOOK,
                            new Verdict.Deny(
                                    "safe: webhooks",
                                    "under the profile safe, mailbox items are sent only to addresses that a rule allows")),
                    new Rule(
                            question -> question.operation() == Operation.AGENT_TOOL,
                            new Verdict.Deny(
                                    "safe: tools of agents",
                                    "under the profile safe, an agent uses a tool that it asks for only if a rule allows it")),
                    new Rule(
                            question -> question.operation() != Operation.SPAWN,
                            new Verdict.Allow("safe: control", null, Budgets.NONE)),
                    new Rule(
                            question -> question.mode() == ExecutionMode.PTY,
                            new Verdict.Deny(
                                    "safe: terminals",
                                    "under the profile safe, a task gets a terminal only if a rule allows it with modes: [pty]"))),
            new Verdict.Deny(
                    "safe: tasks",
                    "under the profile safe, a task is started only if a rule allows this tool with these arguments")),
    /** Allows everything, within budgets. */
    FULL_AUTO(
            "full-auto",
            fullAuto(),
            List.of(),
            new Verdict.Allow("full-auto", "within the budgets of the profile full-auto", fullAuto()));

    private final String wireName;
    private final Budgets budgets;
    private final List<Rule> rules;
    private final Verdict otherwise;

    Profile(String wireName, Budgets budgets, List<Rule> rules, Verdict otherwise) {
        this.wireName = wireName;
        this.budgets = budgets;
        this.rules = rules;
        this.otherwise = otherwise;
    }

    /** An hour, a GiB, and the frames of a GiB in pieces of a kilobyte. */
    private static Budgets fullAuto() {
        return new Budgets(3_600_000L, 1L << 30, 1L << 20);
    }

    public String wireName() {
        return wireName;
    }

    /** The budgets of a rule that sets none. */
    Budgets budgets() {
        return budgets;
    }

    /** The policy with these rules before the profile's own. */
    public Policy with(List<Rule> first) {
        var all = new ArrayList<>(first);
        all.addAll(rules);
        String name = first.isEmpty()
                ? "profile " + wireName
                : "profile " + wireName + " after " + first.size() + (first.size() == 1 ? " rule" : " rules");
        return new Policy(name, all, otherwise);
    }

    public static Profile parse(String word) {
        for (Profile profile : values()) {
            if (profile.wireName.equals(word)) {
                return profile;
            }
        }
        throw new IllegalArgumentException("A profile is "
                + Arrays.stream(values()).map(Profile::wireName).collect(Collectors.joining(", ")) + ", not \"" + word
                + "\"");
    }
}
