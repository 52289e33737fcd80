package io.penstock.testbed;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An answer in the interface of chat completions. */
final class ChatAnswer extends ModelAnswer {

    private final JsonObject request;
    private final @Nullable String shell;
    private final ModelScript script;

    ChatAnswer(JsonObject request) {
        this.request = request;
        shell = shell(objects(request, "tools").stream()
                .map(tool -> tool.getJsonObject("function").getString("name")));
        script = script(objects(request, "messages"), "tool", shell);
    }

    @Override
    ModelScript script() {
        return script;
    }

    @Override
    Stream<String> begin() {
        return Stream.concat(Stream.of(said("")), script.begin().stream().map(this::said));
    }

    @Override
    Stream<String> rest() {
        Stream<String> parts = script.runs()
                ? Stream.of(chunk(new JsonObject().put("tool_calls", new JsonArray().add(call())), null))
                : script.rest().stream().map(this::said);
        String usage = event(base().put("choices", new JsonArray())
                .put(
                        "usage",
                        new JsonObject()
                                .put("prompt_tokens", StubModel.INPUT_TOKENS)
                                .put("completion_tokens", StubModel.OUTPUT_TOKENS)
                                .put("total_tokens", StubModel.INPUT_TOKENS + StubModel.OUTPUT_TOKENS)));
        String last = chunk(new JsonObject(), script.runs() ? "tool_calls" : "stop");
        return Stream.concat(parts, Stream.of(last, usage, "data: [DONE]"));
    }

    private String said(String part) {
        return chunk(new JsonObject().put("role", "assistant").put("content", part), null);
    }

    private JsonObject call() {
        var arguments = new JsonObject().put("command", script.command()).put("description", "a command of the test");
        return new JsonObject()
                .put("index", 0)
                .put("id", "call_" + objects(request, "messages").size())
                .put("type", "function")
                .put("function", new JsonObject().put("name", shell).put("arguments", arguments.encode()));
    }

    private String chunk(JsonObject delta, @Nullable String finish) {
        var choice = new JsonObject().put("index", 0).put("delta", delta).put("finish_reason", finish);
        return event(base().put("choices", new JsonArray().add(choice)));
    }

    private JsonObject base() {
        return new JsonObject()
                .put("id", "chat")
                .put("object", "chat.completion.chunk")
                .put("created", 1)
                .put("model", request.getString("model"));
    }

    private static String event(JsonObject data) {
        return "data: " + data.encode();
    }
}
