package io.penstock.server.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.engine.host.HostCommand;
import io.penstock.engine.log.TaskCursor;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskLabel;
import io.penstock.server.request.RequestFields;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A line of a host. Members that the protocol does not have are ignored.
 *
 * @param id null if it is missing or cannot be used, which makes the request invalid
 * @param type empty if it is missing
 * @param wrong why the request is invalid, whatever its type; null if it may be valid
 */
record RpcRequest(
        @Nullable String id,
        String type,
        RequestFields payload,
        @Nullable String wrong) {

    /** Fails for a line that is not a JSON object. */
    static RpcRequest read(byte[] utf8) {
        RequestFields fields = RequestFields.parse(utf8, "The line");
        String id = id(fields);
        JsonNode payload = fields.object().get("payload");
        boolean isObject = payload instanceof ObjectNode;
        String type = text(fields.object().get("type"));
        String wrong = id == null
                ? "id must be a text of 1 to " + Limits.IDEMPOTENCY_KEY_CHARS
                        + " characters that names this request only"
                : isObject || payload == null || payload.isNull() ? null : "payload must be an object";
        return new RpcRequest(
                id,
                type == null ? "" : type,
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

    /** The token of a request that authenticates a connection; null for others. */
    @Nullable
    String token() {
        return type.equals("authenticate") ? text(payload.object().get("token")) : null;
    }

    /** Fails for a request that names no command. A command with an invalid field has an effect: its id is used. */
    HostCommand command() {
        if (wrong != null) {
            throw RequestFields.wrong(wrong);
        }
        return switch (type) {
            case "create_or_open_task" ->
                valid(() -> new HostCommand.CreateOrOpen(
                        task(), payload.textOrNull("workingFolder"), model(), payload.textOrNull("thinkingLevel")));
            case "switch_task" -> valid(() -> new HostCommand.Switch(task()));
            case "prompt" -> valid(() -> new HostCommand.Prompt(message(), payload.textOrNull("promptId")));
            case "stop_task" -> valid(() -> new HostCommand.Stop(task()));
            case "get_state", "runtime_get_state" -> new HostCommand.State(after());
            default ->
                throw RequestFields.wrong("type must be create_or_open_task, switch_task, prompt, get_state or"
                        + " stop_task, but is "
                        + (type.isEmpty() ? "missing" : "\"" + RequestFields.shown(type) + "\""));
        };
    }

    private static HostCommand valid(Supplier<HostCommand> command) {
        try {
            return command.get();
        } catch (Failure e) {
            return new HostCommand.Invalid(e);
        }
    }

    private TaskLabel task() {
        try {
            return new TaskLabel(payload.text("taskId", RpcLimits.LINE_BYTES));
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("payload.taskId cannot be used. " + e.getMessage());
        }
    }

    private @Nullable String model() {
        String provider = payload.textOrNull("provider");
        String model = payload.textOrNull("model");
        if (provider != null && model == null) {
            throw RequestFields.wrong("payload.provider needs payload.model, the model of that provider");
        }
        return provider == null ? model : provider + "/" + model;
    }

    private String message() {
        String message = payload.text("message", RpcLimits.LINE_BYTES);
        if (message.isBlank()) {
            throw RequestFields.wrong("payload.message is empty; give what the agent is to do");
        }
        return message;
    }

    private @Nullable TaskCursor after() {
        String after = payload.textOrNull("after");
        try {
            return after == null ? null : TaskCursor.parse(after);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("payload.after is \"" + RequestFields.shown(after)
                    + "\" and must be the member next of an earlier answer, as it was given");
        }
    }
}
