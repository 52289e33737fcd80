package io.penstock.server.request;

import io.penstock.frames.Failure;
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
}
