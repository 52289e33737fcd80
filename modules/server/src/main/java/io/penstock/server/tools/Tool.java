package io.penstock.server.tools;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** An operation that a model or a program calls by name. It knows nothing of the edge that passes on the call. */
public interface Tool {

    /** Lower case letters, digits and underscores, as model APIs require. */
    String name();

    /** For a model: what the tool does, and when to use it. */
    String description();

    /** All but the session, which every tool takes. */
    Fields parameters();

    /** The JSON schema of the result. */
    JsonObject resultSchema();

    /** Whether a call changes nothing, so that repeating it does no harm and needs no idempotency key. */
    boolean readOnly(ToolCall call);

    /** The memory that the answer to a call may take, its JSON included. */
    long answerBytes(ToolCall call);

    /** Whether the call lasts as long as a program that it runs. */
    default boolean runs(ToolCall call) {
        return false;
    }

    /**
     * Completes when the call is worth making, for one that waits for something, with the call to make then. It needs no memory until then.
     *
     * @param answered completes when the answer is written; fails if the caller gets none
     */
    default Future<ToolCall> ready(ToolCall call, Future<?> answered) {
        return Future.succeededFuture(call);
    }

    /** Carries out a call whose parameters are as {@link #parameters} says. */
    Future<JsonObject> call(ToolCall call);
}
