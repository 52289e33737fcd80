package io.penstock.engine.task.record;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** The task's phase does not allow the operation, and no later phase will. */
public final class TaskOver extends Failure {

    private static final long serialVersionUID = 1L;

    private final boolean onNoShard;

    public TaskOver(String message) {
        this(message, false);
    }

    private TaskOver(String message, boolean onNoShard) {
        super(FailureCode.TASK_NOT_READY, message);
        this.onNoShard = onNoShard;
    }

    public static TaskOver onNoShard(String message) {
        return new TaskOver(message, true);
    }

    /** Whether no shard has the task. */
    public boolean isOnNoShard() {
        return onNoShard;
    }

    @Override
    public boolean retryable() {
        return false;
    }
}
