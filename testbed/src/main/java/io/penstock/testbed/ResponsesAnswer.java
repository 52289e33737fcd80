package io.penstock.testbed;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An answer in the interface of responses. */
final class ResponsesAnswer extends ModelAnswer {

    private final JsonObject request;
    private final @Nullable String shell;
    private final ModelScript script;
    private final int entries;
    private int sequence;

    ResponsesAnswer(JsonObject request) {
        this.request = request;
        entries = objects(request, "input").size();
        shell = shell(objects(request, "tools").stream().map(tool -> tool.getString("name", tool.getString("type"))));
        script = script(objects(request, "input"), "function_call_output", shell);
    }

    @Override
    ModelScript script() {
        return script;
    }

    @Override
    Stream<String> begin() {
        Stream<String> created =
                Stream.of(event("response.created", new JsonObject().put("response", response("in_progress"))));
        return script.runs()
                ? created
                : Stream.concat(
                        Stream.concat(created, Stream.of(item("response.output_item.added", message("")))),
                        script.begin().stream().map(this::said));
    }

    @Override
    Stream<String> rest() {
        JsonObject item = script.runs() ? call() : message(script.answer());
        Stream<String> parts = script.runs()
                ? Stream.of(item("response.output_item.added", item))
                : script.rest().stream().map(this::said);
        var usage = new JsonObject()
                .put("input_tokens", StubModel.INPUT_TOKENS)
                .put("input_tokens_details", new JsonObject().put("cached_tokens", 0))
                .put("output_tokens", StubModel.OUTPUT_TOKENS)
                .put("output_tokens_details", new JsonObject().put("reasoning_tokens", 0))
                .put("total_tokens", StubModel.INPUT_TOKENS + StubModel.OUTPUT_TOKENS);
        JsonObject whole =
                response("completed").put("output", new JsonArray().add(item)).put("usage", usage);
        return Stream.concat(
                parts,
                Stream.of(
                        item("response.output_item.done", item),
                        event("response.completed", new JsonObject().put("response", whole))));
    }

    private String said(String part) {
        return event(
                "response.output_text.delta",
                new JsonObject()
                        .put("item_id", "message")
                        .put("output_index", 0)
                        .put("content_index", 0)
                        .put("delta", part));
    }

    private JsonObject message(String text) {
        var part = new JsonObject().put("type", "output_text").put("text", text).put("annotations", new JsonArray());
        return new JsonObject()
                .put("type", "message")
                .put("id", "message")
                .put("role", "assistant")
                .put("status", "completed")
                .put("content", text.isEmpty() ? new JsonArray() : new JsonArray().add(part));
    }

    private JsonObject call() {
        var arguments = switch (shell) {
            case "exec_command" -> new JsonObject().put("cmd", script.command());
            case "shell" ->
                new JsonObject()
                        .put("command", new JsonArray().add("sh").add("-c").add(script.command()));
            case null, default -> new JsonObject().put("command", script.command());
        };
        return new JsonObject()
                .put("type", "function_call")
                .put("id", "function_" + entries)
                .put("call_id", "call_" + entries)
                .put("name", shell)
                .put("arguments", arguments.encode())
                .put("status", "completed");
    }

    private JsonObject response(String status) {
        return new JsonObject()
                .put("id", "response_" + entries)
                .put("object", "response")
                .put("created_at", 1)
                .put("model", request.getString("model"))
                .put("status", status)
                .put("output", new JsonArray());
    }

    private String item(String type, JsonObject item) {
        return event(type, new JsonObject().put("output_index", 0).put("item", item));
    }

    private String event(String type, JsonObject data) {
        return "event: " + type + "\ndata: "
                + data.put("type", type).put("sequence_number", sequence++).encode();
    }
}
