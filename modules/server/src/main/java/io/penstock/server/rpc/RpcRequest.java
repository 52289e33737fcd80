package io.penstock.server.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Limits;
import io.penstock.server.request.RequestFields;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line of a host. Members that the protocol does not have are ignored.
 *
 * @param id null if it is missing or cannot be used, which makes the request invalid
 * @param type null if it is missing
 * @param wrong why the request is invalid, whatever its type; null if it may be valid
 */
record RpcRequest(
        @Nullable String id,
        @Nullable String type,
        RequestFields payload,
        @Nullable String wrong) {

    /** The lane of what chooses the task that prompts go to, and of the prompts. */
    private static final String SELECTION = "";

    /** Fails for a line that is not a JSON object. */
    static RpcRequest read(byte[] utf8) {
        RequestFields fields = RequestFields.parse(utf8, "The line");
        String id = id(fields);
        JsonNode payload = fields.object().get("payload");
        boolean isObject = payload instanceof ObjectNode;
        String wrong = id == null
                ? "id must be a text of 1 to " + Limits.IDEMPOTENCY_KEY_CHARS
                        + " characters that names this request only"
                : isObject || payload == null || payload.isNull() ? null : "payload must be an object";
        return new RpcRequest(
                id,
                text(fields.object().get("type")),
                new RequestFields(isObject ? (ObjectNode) payload : JsonNodeFactory.instance.objectNode(), "payload."),
                wrong);
    }

    private static @Nullable String id(RequestFields fields) {
        String id = text(fields.object().get("id"));
        return id == null || id.isBlank() || id.length() > Limits.IDEMPOTENCY_KEY_CHARS ? null : id;
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        return value == null || !value.isTextual() ? null : value.textValue();
    }

    /**
     * The lanes of its connection in which it waits for earlier requests: those about the same task, so that a host can send create, switch,
     * prompt and stop in one go; a long create does not hold up others.
     */
    List<String> waitsIn() {
        return switch (Objects.requireNonNullElse(type, "")) {
            case "create_or_open_task" -> List.of(taskLane());
            case "switch_task", "stop_task" -> List.of(taskLane(), SELECTION);
            case "prompt" -> List.of(SELECTION);
            default -> List.of();
        };
    }

    /** The lanes in which later requests wait for it. */
    List<String> holdsUp() {
        return switch (Objects.requireNonNullElse(type, "")) {
            case "create_or_open_task", "stop_task" -> List.of(taskLane());
            case "switch_task" -> List.of(taskLane(), SELECTION);
            case "prompt" -> List.of(SELECTION);
            default -> List.of();
        };
    }

    private String taskLane() {
        return "task " + text(payload.object().get("taskId"));
    }
}
