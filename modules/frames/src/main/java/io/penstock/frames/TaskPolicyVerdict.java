package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of policy on an operation on the task.
 *
 * @param operation the operation: spawn, stdin, signal, …
 * @param rule the name of the rule that decided
 * @param budgets the task's budgets; none unless a spawn was allowed
 * @param answeredBy the actor who answered the question of a rule, or the server if there was no answer in time; else null
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

    /** The verdicts of a policy. */
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

    /** Without budgets, like most verdicts. */
    public TaskPolicyVerdict(String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy) {
        this(operation, verdict, rule, reason, askedBy, Budgets.NONE);
    }

    /** Decided by the rule itself, without a question. */
    public TaskPolicyVerdict(
            String operation, Verdict verdict, String rule, @Nullable String reason, Actor askedBy, Budgets budgets) {
        this(operation, verdict, rule, reason, askedBy, budgets, null);
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_POLICY_VERDICT;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("operation", operation);
        json.text("verdict", verdict.wireName());
        json.text("rule", rule);
        json.textOrNull("reason", reason);
        json.actor("asked_by", askedBy);
        if (budgets.equals(Budgets.NONE)) {
            json.absent("budgets");
        } else {
            json.begin("budgets");
            budgets.writeJson(json);
            json.end();
        }
        json.actorOrNull("answered_by", answeredBy);
    }

    static TaskPolicyVerdict readJson(JsonFields fields) {
        JsonFields budgets = fields.inOrNull("budgets");
        return new TaskPolicyVerdict(
                fields.text("operation"),
                fields.oneOf("verdict", Verdict.class),
                fields.text("rule"),
                fields.textOrNull("reason"),
                fields.actor("asked_by"),
                budgets == null ? Budgets.NONE : Budgets.readJson(budgets),
                fields.actorOrNull("answered_by"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(operation);
        out.writeConstant(verdict);
        out.writeText(rule);
        out.writeTextOrNull(reason);
        askedBy.writeStored(out);
        // Absent at the end rather than empty, so that verdicts without them keep the bytes of older records.
        if (!budgets.equals(Budgets.NONE) || answeredBy != null) {
            budgets.writeStored(out);
        }
        if (answeredBy != null) {
            out.writeTextOrNull(answeredBy.toString());
        }
    }

    static TaskPolicyVerdict readStored(ByteReader in) {
        String operation = in.readText();
        Verdict verdict = in.readConstant(Verdict.class);
        String rule = in.readText();
        String reason = in.readTextOrNull();
        Actor askedBy = Actor.readStored(in);
        Budgets budgets = in.hasMore() ? Budgets.readStored(in) : Budgets.NONE;
        String answeredBy = in.hasMore() ? in.readTextOrNull() : null;
        return new TaskPolicyVerdict(
                operation,
                verdict,
                rule,
                reason,
                askedBy,
                budgets,
                answeredBy == null ? null : Actor.parse(answeredBy));
    }
}
