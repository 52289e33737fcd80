package io.penstock.server.rpc;

import io.penstock.engine.host.HostAnswer;
import io.penstock.engine.host.HostEvent;
import io.penstock.frames.Failure;
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
    static Buffer response(@Nullable String id, HostAnswer answer) {
        return line(new JsonObject().put("id", id).mergeIn(body(answer)));
    }

    /** The response to a line that is no request. */
    static Buffer unreadable(Failure why) {
        return line(body(HostAnswer.error(why)));
    }

    private static JsonObject body(HostAnswer answer) {
        return new JsonObject().put("ok", answer.isResult()).put(answer.member(), answer.content());
    }

    static Buffer event(HostEvent event) {
        return line(new JsonObject()
                .put("type", "event")
                .put("event", event.event())
                .put("timestamp", TIME.format(Instant.ofEpochMilli(event.atMs())))
                .put("taskId", event.taskName())
                .put("payload", event.payload()));
    }

    private static Buffer line(JsonObject object) {
        return object.toBuffer().appendByte((byte) '\n');
    }
}
