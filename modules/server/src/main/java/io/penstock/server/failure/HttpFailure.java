package io.penstock.server.failure;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.json.JsonObject;

/** A failure for which HTTP has a more exact status than its code alone tells. */
public final class HttpFailure extends Failure {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient JsonObject details;

    public HttpFailure(int status, FailureCode code, String message) {
        this(status, code, message, new JsonObject());
    }

    public HttpFailure(int status, FailureCode code, String message, JsonObject details) {
        super(code, message);
        this.status = status;
        this.details = details;
    }

    /** The request itself is wrong in a way that has a status of its own. */
    public static HttpFailure wrong(int status, String message) {
        return new HttpFailure(status, FailureCode.INVALID_REQUEST, message);
    }

    int status() {
        return status;
    }

    JsonObject details() {
        return details;
    }
}
