package io.penstock.engine.agent;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The content blocks of ACP as text. Content that is no text is named in brackets. */
final class AcpContent {

    private static final String FENCE = "```";

    /** Where programs put the text of a result: opencode, then codex. */
    private static final List<String> RESULTS = List.of("output", "aggregated_output");

    private AcpContent() {}

    /** One block of a message or of a tool's output. */
    static String text(JsonObject block) {
        String type = AgentJson.text(block, "type");
        return switch (type) {
            case "text" -> orEmpty(AgentJson.text(block, "text"));
            case "resource_link" -> "[" + orEmpty(AgentJson.text(block, "uri")) + "]";
            case "resource" -> resource(AgentJson.object(block, "resource"));
            case "image", "audio" -> "[" + type + " " + orEmpty(AgentJson.text(block, "mimeType")) + "]";
            case null, default -> "";
        };
    }

    /**
     * The content of a tool call, which grows from update to update. A text that is one fenced block is shown without its fence: the end of
     * the fence would stand in the middle of a text that grows. Terminals are shown by the tasks that they are.
     */
    static String output(List<JsonObject> content) {
        var all = new StringBuilder();
        for (JsonObject item : content) {
            String text = switch (AgentJson.text(item, "type")) {
                case "content" -> unfenced(text(AgentJson.object(item, "content")));
                case "diff" ->
                    LineChange.text(
                            orEmpty(AgentJson.text(item, "path")),
                            orEmpty(AgentJson.text(item, "oldText")),
                            orEmpty(AgentJson.text(item, "newText")));
                case null, default -> "";
            };
            all.append(all.isEmpty() || text.isEmpty() ? "" : "\n").append(text);
        }
        return all.toString();
    }

    /** The text in the result of a tool, which is of the program's own form; null if there is none. */
    static @Nullable String result(@Nullable Object rawOutput) {
        return switch (rawOutput) {
            case String text -> text;
            case JsonObject object ->
                RESULTS.stream()
                        .map(name -> AgentJson.text(object, name))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
            case null, default -> null;
        };
    }

    private static String resource(JsonObject resource) {
        String text = AgentJson.text(resource, "text");
        return text == null ? "[" + orEmpty(AgentJson.text(resource, "uri")) + "]" : text;
    }

    private static String unfenced(String text) {
        String trimmed = text.strip();
        int firstLine = trimmed.indexOf('\n');
        if (firstLine < 0 || !trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) {
            return text;
        }
        int end = trimmed.length() - FENCE.length();
        boolean empty = end <= firstLine + 1;
        return empty ? "" : trimmed.substring(firstLine + 1, trimmed.charAt(end - 1) == '\n' ? end - 1 : end);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
