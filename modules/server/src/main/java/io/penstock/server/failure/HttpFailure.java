package io.penstock.server.failure;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;

/** A failure for which HTTP has a more exact status than its code alone tells. */
public final class HttpFailure extends Failure {

    private static final long serialVersionUID = 1L;

    private final int status;

    public HttpFailure(int status, FailureCode code, String message) {
        super(code, message);
        this.status = status;
    }

    /** The request itself is wrong in a way that has a status of its own. */
    public static HttpFailure wrong(int status, String message) {
        return new HttpFailure(status, FailureCode.INVALID_REQUEST, message);
    }

    int status() {
        return status;
    }
}
