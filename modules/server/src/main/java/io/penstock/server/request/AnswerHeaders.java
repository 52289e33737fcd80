package io.penstock.server.request;

import io.vertx.core.http.HttpServerResponse;

/** The headers that all answers of one kind have. */
public final class AnswerHeaders {

    private AnswerHeaders() {}

    /** An answer that is true only now: no cache stores it, and a browser takes it as nothing else than this type. */
    public static HttpServerResponse momentary(HttpServerResponse response, String contentType) {
        return typed(response, contentType).putHeader("cache-control", "no-store");
    }

    /** {@link #momentary} in JSON. */
    public static HttpServerResponse json(HttpServerResponse response) {
        return momentary(response, "application/json");
    }

    /** A browser takes the answer as nothing else than this type; the caller decides about caches. */
    public static HttpServerResponse typed(HttpServerResponse response, String contentType) {
        return response.putHeader("content-type", contentType).putHeader("x-content-type-options", "nosniff");
    }
}
