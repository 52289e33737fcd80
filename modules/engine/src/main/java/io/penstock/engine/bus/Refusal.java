package io.penstock.engine.bus;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/** The failure of a request on the bus that the engine has refused: its code and its sentence. */
public final class Refusal extends ReplyException {

    private static final long serialVersionUID = 1L;

    private final FailureCode code;

    private Refusal(FailureCode code, String message) {
        super(ReplyFailure.RECIPIENT_FAILURE, code.ordinal(), message);
        this.code = code;
    }

    static Refusal of(Throwable cause) {
        return switch (cause) {
            case Failure failure -> new Refusal(failure.code(), String.valueOf(failure.getMessage()));
            case IllegalArgumentException wrong ->
                new Refusal(FailureCode.INVALID_REQUEST, String.valueOf(wrong.getMessage()));
            default -> new Refusal(FailureCode.INTERNAL_ERROR, "The engine failed: " + cause);
        };
    }

    public FailureCode code() {
        return code;
    }
}
