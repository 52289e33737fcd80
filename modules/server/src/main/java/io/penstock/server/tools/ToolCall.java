package io.penstock.server.tools;

import io.penstock.frames.Actor;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * A call that its tool's schema allows.
 *
 * @param parameters those that were given, and the defaults of the others
 * @param sessionId the session for which the tool is called
 */
public record ToolCall(Tool tool, JsonObject parameters, String sessionId, Actor actor) {

    public ToolCall {
        StreamId.session(sessionId);
    }

    /** The memory that the answer may take, its JSON included. */
    public long answerBytes() {
        return tool.answerBytes(this);
    }

    public Future<?> ready() {
        return tool.ready(this);
    }

    public Future<JsonObject> run() {
        return tool.call(this);
    }
}
