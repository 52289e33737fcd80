package io.penstock.engine.pump;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** The task is not in a phase that allows this, and will not be any more. */
final class TooLate extends Failure {

    private static final long serialVersionUID = 1L;

    TooLate(String message) {
        super(FailureCode.TASK_NOT_READY, message);
    }

    @Override
    public boolean retryable() {
        return false;
    }
}
