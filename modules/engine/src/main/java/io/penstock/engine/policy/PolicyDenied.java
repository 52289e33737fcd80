package io.penstock.engine.policy;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.Map;

/** Policy denied an operation; the denial is recorded in the task's stream. */
public final class PolicyDenied extends Failure {

    private static final long serialVersionUID = 1L;

    private final String idName;
    private final String id;
    private final Operation operation;
    private final String rule;
    private final String reason;

    public PolicyDenied(String taskId, Operation operation, Verdict.Deny denial) {
        this("task_id", taskId, operation, denial);
    }

    /** @param idName what the id is of, as a field of the error's details */
    PolicyDenied(String idName, String id, Operation operation, Verdict.Deny denial) {
        super(FailureCode.POLICY_DENIED, sentence(operation, denial));
        this.idName = idName;
        this.id = id;
        this.operation = operation;
        this.rule = denial.rule();
        this.reason = denial.reason();
    }

    /** A sentence for people: the operation, the rule that denies it, and its reason. */
    public static String sentence(Operation operation, Verdict.Deny denial) {
        return "The rule \"" + denial.rule() + "\" denies " + operation.wireName() + ": " + denial.reason();
    }

    @Override
    public Map<String, String> details() {
        return Map.of(idName, id, "operation", operation.wireName(), "rule", rule, "reason", reason);
    }
}
