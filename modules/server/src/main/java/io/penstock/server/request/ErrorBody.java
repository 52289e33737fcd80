package io.penstock.server.request;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.json.JsonObject;
import java.util.TreeMap;

/** The one shape of errors on every edge: {@code {code, message, retryable, details}}. */
public final class ErrorBody {

    private ErrorBody() {}

    public static JsonObject of(Failure failure) {
        return new JsonObject()
                .put("code", failure.code().name())
                .put("message", failure.getMessage())
                .put("retryable", failure.retryable())
                .put("details", new JsonObject(new TreeMap<>(failure.details())));
    }

    /** The failure itself if callers are meant to read it; any other failure is in the log of the server only. */
    public static Failure failure(Throwable why) {
        return why instanceof Failure known
                ? known
                : new Failure(
                        FailureCode.INTERNAL_ERROR, "An internal error occurred in Penstock; see its log for details");
    }
}
