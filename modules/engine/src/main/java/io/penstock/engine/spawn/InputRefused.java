package io.penstock.engine.spawn;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** Input that the program did not get: all of the write, or the rest of it after what it had read before it closed. */
public final class InputRefused extends Failure {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** It does not read, and what waits for it has reached its limit. Nothing of this write was taken. */
        FULL(FailureCode.TASK_NOT_READY),
        /** It has closed its input, or ended, or its input was closed for it. */
        CLOSED(FailureCode.INVALID_REQUEST),
        /** It was started without an input. */
        NONE(FailureCode.INVALID_REQUEST);

        private final FailureCode code;

        Reason(FailureCode code) {
            this.code = code;
        }
    }

    private final Reason reason;

    public InputRefused(Reason reason, String message) {
        super(reason.code, message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
