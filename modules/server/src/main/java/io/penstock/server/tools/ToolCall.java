package io.penstock.server.tools;

import io.penstock.frames.Actor;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

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

    /**
     * Completes with the call to make, when that is worth it.
     *
     * @param answered completes when the answer is written; fails if the caller gets none
     */
    public Future<ToolCall> ready(Future<?> answered) {
        return tool.ready(this, answered);
    }

    /** The same call with another value of a parameter, or without it. */
    public ToolCall with(String name, @Nullable Object value) {
        JsonObject changed = parameters.copy();
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new ToolCall(tool, changed, sessionId, actor);
    }

    public Future<JsonObject> run() {
        return tool.call(this);
    }
}
