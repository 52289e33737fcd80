package io.penstock.engine.spawn;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** The program did not get a write, or only its start because it then closed its input. */
public final class InputRefused extends Failure {
    private static final long serialVersionUID = 1L;

    /** The reason for the refusal. */
    public enum Reason {
        /** The program does not read, and the input waiting for it has reached its limit. Nothing of this write was accepted. */
        FULL(FailureCode.TASK_NOT_READY),
        /** The program has closed its input or ended, or a client has closed the input. */
        CLOSED(FailureCode.INVALID_REQUEST),
        /** The program was started without an input. */
        NO_INPUT(FailureCode.INVALID_REQUEST);

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
