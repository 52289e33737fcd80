package io.penstock.server.tools.shell;

import io.penstock.frames.Channel;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One event of a run, made from one frame of its task.
 *
 * @param channel the output that it is a part of; null for other events
 * @param payload the text of an output, the word of a status, or the sentence of an event
 */
record ShellItem(long seq, Type type, @Nullable Channel channel, String payload, JsonObject meta, long atMs) {

    static final JsonObject SCHEMA = new JsonObject()
            .put("type", "array")
            .put("description", "What happened after since_seq, in order.")
            .put(
                    "items",
                    new JsonObject()
                            .put("type", "object")
                            .put(
                                    "properties",
                                    new JsonObject()
                                            .put("seq", new JsonObject().put("type", "integer"))
                                            .put(
                                                    "type",
                                                    new JsonObject()
                                                            .put("type", "string")
                                                            .put(
                                                                    "enum",
                                                                    new JsonArray(Arrays.stream(Type.values())
                                                                            .map(Type::wireName)
                                                                            .toList())))
                                            .put("payload", new JsonObject().put("type", "string"))
                                            .put("meta_json", new JsonObject().put("type", "object"))
                                            .put("created_at", new JsonObject().put("type", "string"))));

    enum Type {
        STDOUT,
        STDERR,
        STATUS,
        EVENT,
        OUTPUT_TRUNCATED;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    JsonObject toJson() {
        return new JsonObject()
                .put("seq", seq)
                .put("type", type.wireName())
                .put("payload", payload)
                .put("meta_json", meta)
                .put("created_at", Instant.ofEpochMilli(atMs).toString());
    }
}
