package io.penstock.server.failure;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** A failure with a more specific HTTP status than its code alone implies. */
public final class HttpFailure extends Failure {

    private static final long serialVersionUID = 1L;

    private final int status;

    public HttpFailure(int status, FailureCode code, String message) {
        super(code, message);
        this.status = status;
    }

    /** The request itself is wrong in a way that has its own status. */
    public static HttpFailure wrong(int status, String message) {
        return new HttpFailure(status, FailureCode.INVALID_REQUEST, message);
    }

    int status() {
        return status;
    }
}
