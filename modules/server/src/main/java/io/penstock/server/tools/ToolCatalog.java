package io.penstock.server.tools;

import io.penstock.engine.session.SessionApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tools by name, for every edge. */
public final class ToolCatalog {

    private static final Field SESSION = Field.withDefault(
            "session_id",
            FieldType.id(Limits.STREAM_ID_CHARS),
            "cli",
            "The session for which the tool is called; the caller's program chooses it, not the model.");

    private static final Logger log = LoggerFactory.getLogger(ToolCatalog.class);

    /** A database that is away must not hold up a call. */
    private static final long SESSION_WITHIN_MS = 1_000;

    private final Map<String, Tool> tools = new LinkedHashMap<>();
    private final SessionApi sessions;

    public ToolCatalog(List<Tool> tools, SessionApi sessions) {
        this.sessions = sessions;
        for (Tool tool : tools) {
            if (this.tools.put(tool.name(), tool) != null) {
                throw new IllegalArgumentException("The tool " + tool.name() + " is there twice");
            }
        }
    }

    /** Each tool with its schemas, in the form that model APIs accept. */
    public JsonArray list() {
        var list = new JsonArray();
        for (Tool tool : tools.values()) {
            list.add(new JsonObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .put("input_schema", tool.parameters().with(SESSION).ofParameters())
                    .put("output_schema", tool.resultSchema()));
        }
        return list;
    }

    /**
     * Reads a call of a tool.
     *
     * @param given the parameters and the session
     * @param actor recorded as the caller
     */
    public ToolCall read(String name, RequestFields given, Actor actor) {
        Tool tool = tools.get(name);
        if (tool == null) {
            throw new Failure(
                    FailureCode.TOOL_NOT_FOUND,
                    "There is no tool \"" + RequestFields.shown(name) + "\" to call; known are "
                            + String.join(", ", tools.keySet()));
        }
        JsonObject parameters = tool.parameters().with(SESSION).read(given);
        String session = (String) parameters.remove(SESSION.name());
        return new ToolCall(tool, parameters, session, actor);
    }

    /** Carries out a call. It begins its session if that is new or has ended. */
    public Future<JsonObject> run(ToolCall call) {
        Future<?> begun = sessions.use(call.sessionId(), call.actor())
                .timeout(SESSION_WITHIN_MS, TimeUnit.MILLISECONDS)
                .onFailure(e -> log.warn(
                        "A call of {} is not recorded in its session {}: {}",
                        call.tool().name(),
                        call.sessionId(),
                        e.getMessage()));
        return call.run().compose(result -> begun.transform(known -> Future.succeededFuture(result)));
    }
}
