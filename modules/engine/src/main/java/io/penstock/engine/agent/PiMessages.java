package io.penstock.engine.agent;

import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.frames.TaskAgentToolCall.Status;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages and tool calls of pi's agent, as events. */
final class PiMessages {

    private final Consumer<AgentEvent> events;
    private final Speech speech;
    private final ToolCalls calls;
    private @Nullable String messageId;
    private long saidChars;
    private long thoughtChars;
    private @Nullable String stopReason;
    private @Nullable String error;

    PiMessages(Consumer<AgentEvent> events) {
        this.events = events;
        speech = new Speech(events);
        calls = new ToolCalls(events);
    }

    void beginTurn() {
        stopReason = null;
        error = null;
    }

    /** Why the last message of the turn ended, in pi's word; null if there was none. */
    @Nullable
    String stopReason() {
        return stopReason;
    }

    /** Why the last message of the turn failed; null if it did not. */
    @Nullable
    String error() {
        return error;
    }

    /** Events of other types are none of messages or tool calls. */
    void read(@Nullable String type, JsonObject event) {
        switch (type) {
            case "message_start" -> start(AgentJson.object(event, "message"));
            case "message_update" -> update(event);
            case "message_end" -> end(AgentJson.object(event, "message"));
            case "tool_execution_start" -> toolCall(event, Status.RUNNING, new JsonObject());
            case "tool_execution_update" -> toolCall(event, Status.RUNNING, AgentJson.object(event, "partialResult"));
            case "tool_execution_end" ->
                toolCall(
                        event,
                        AgentJson.flag(event, "isError") ? Status.FAILED : Status.COMPLETED,
                        AgentJson.object(event, "result"));
            case null, default -> {
                // Later versions may report more.
            }
        }
    }

    private void start(JsonObject message) {
        if (isOfAgent(message)) {
            // Messages have no other name; two do not begin in one millisecond.
            messageId = message.getValue("timestamp") instanceof Number at ? Long.toString(at.longValue()) : null;
            saidChars = 0;
            thoughtChars = 0;
        }
    }

    private void update(JsonObject event) {
        JsonObject change = AgentJson.object(event, "assistantMessageEvent");
        String part = AgentJson.text(change, "delta");
        switch (AgentJson.text(change, "type")) {
            case "text_delta" -> {
                saidChars += part == null ? 0 : part.length();
                speech.say(Role.ASSISTANT, messageId, Objects.requireNonNullElse(part, ""));
            }
            case "thinking_delta" -> {
                thoughtChars += part == null ? 0 : part.length();
                speech.say(Role.THOUGHT, messageId, Objects.requireNonNullElse(part, ""));
            }
            case null -> catchUp(AgentJson.object(event, "message"));
            default -> {
                // Beginnings and ends of parts; tool calls are reported when they run.
            }
        }
    }

    private void end(JsonObject message) {
        if (!isOfAgent(message)) {
            return;
        }
        catchUp(message);
        stopReason = AgentJson.line(message, "stopReason");
        String reported = AgentJson.line(message, "errorMessage");
        error = "error".equals(stopReason) ? Objects.requireNonNullElse(reported, "pi reported no reason") : null;
        JsonObject usage = AgentJson.object(message, "usage");
        long input = AgentJson.count(usage, "input")
                + AgentJson.count(usage, "cacheRead")
                + AgentJson.count(usage, "cacheWrite");
        long output = AgentJson.count(usage, "output");
        Long cost = AgentJson.micros(AgentJson.object(usage, "cost"), "total");
        if (input + output > 0 || cost != null && cost > 0) {
            events.accept(new AgentEvent.Used(input, output, cost == null ? 0 : cost));
        }
    }

    /** Says what a whole message has more than its parts: not every message, and not every version, comes in parts. */
    private void catchUp(JsonObject message) {
        String thought = joined(message, "thinking", "thinking");
        String said = joined(message, "text", "text");
        if (thought.length() > thoughtChars) {
            speech.say(Role.THOUGHT, messageId, thought.substring((int) thoughtChars));
            thoughtChars = thought.length();
        }
        if (said.length() > saidChars) {
            speech.say(Role.ASSISTANT, messageId, said.substring((int) saidChars));
            saidChars = said.length();
        }
    }

    private void toolCall(JsonObject event, Status status, JsonObject result) {
        String id = AgentJson.line(event, "toolCallId");
        if (id == null) {
            return;
        }
        JsonObject arguments = AgentJson.object(event, "args");
        String output = joined(result, "text", "text");
        calls.update(new ToolCalls.Report(
                id,
                AgentJson.line(event, "toolName"),
                title(arguments),
                status,
                AgentJson.encoded(arguments),
                output.isEmpty() ? null : output,
                null,
                null));
    }

    /** The argument that says most about a call of pi's own tools. */
    private static @Nullable String title(JsonObject arguments) {
        return Stream.of("command", "path", "pattern", "url")
                .map(name -> AgentJson.line(arguments, name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static String joined(JsonObject message, String type, String field) {
        List<JsonObject> parts = AgentJson.objects(message, "content");
        return parts.stream()
                .filter(part -> type.equals(AgentJson.text(part, "type")))
                .map(part -> Objects.requireNonNullElse(AgentJson.text(part, field), ""))
                .collect(Collectors.joining());
    }

    private static boolean isOfAgent(JsonObject message) {
        return "assistant".equals(AgentJson.text(message, "role"));
    }
}
