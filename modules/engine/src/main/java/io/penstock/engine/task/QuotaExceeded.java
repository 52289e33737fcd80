package io.penstock.engine.task;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.Map;

/** There is no room for a task, neither to run nor in the queue; the refusal is recorded in its stream. */
final class QuotaExceeded extends Failure {

    private static final long serialVersionUID = 1L;

    private final String taskId;

    QuotaExceeded(String taskId, String why) {
        super(FailureCode.QUOTA_EXCEEDED, why);
        this.taskId = taskId;
    }

    @Override
    public Map<String, String> details() {
        return Map.of("task_id", taskId);
    }
}
