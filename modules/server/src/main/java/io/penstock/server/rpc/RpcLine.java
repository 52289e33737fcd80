package io.penstock.server.rpc;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The lines that hosts get. */
final class RpcLine {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private RpcLine() {}

    /** @param id null for a request without a usable one */
    static Buffer response(@Nullable String id, Answer answer) {
        return line(new JsonObject().put("id", id).mergeIn(body(answer)));
    }

    /** The response to a line that is no request. */
    static Buffer unreadable(RpcRefusal why) {
        return line(body(Answer.error(why)));
    }

    private static JsonObject body(Answer answer) {
        return new JsonObject().put("ok", answer.member().equals("result")).put(answer.member(), answer.content());
    }

    static Buffer event(String event, long atMs, String taskName, JsonObject payload) {
        return line(new JsonObject()
                .put("type", "event")
                .put("event", event)
                .put("timestamp", TIME.format(Instant.ofEpochMilli(atMs)))
                .put("taskId", taskName)
                .put("payload", payload));
    }

    private static Buffer line(JsonObject object) {
        return object.toBuffer().appendByte((byte) '\n');
    }
}
