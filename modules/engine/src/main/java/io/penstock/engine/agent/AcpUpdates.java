package io.penstock.engine.agent;

import io.penstock.frames.Limits;
import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.frames.TaskAgentPlan;
import io.penstock.frames.TaskAgentToolCall.Status;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an agent reports in {@code session/update}, as events. */
final class AcpUpdates {

    private static final int MESSAGE_ID_CHARS = 200;

    private final Consumer<AgentEvent> events;
    private final Speech speech;
    private final ToolCalls calls;
    private long costMicroUsd;
    private boolean costReported;

    AcpUpdates(Consumer<AgentEvent> events) {
        this.events = events;
        speech = new Speech(events);
        calls = new ToolCalls(events);
    }

    /** The sum at which the costs of a loaded conversation begin, unless its program counts anew. */
    void setCostBefore(long known) {
        costMicroUsd = known;
    }

    /** An update during a turn. */
    void read(JsonObject update) {
        switch (AgentJson.text(update, "sessionUpdate")) {
            case "agent_message_chunk" -> said(Role.ASSISTANT, update);
            case "agent_thought_chunk" -> said(Role.THOUGHT, update);
            case "tool_call", "tool_call_update" -> toolCall(update);
            case "plan" -> plan(update);
            case "usage_update" -> cost(update);
            case null, default -> {
                // Commands, modes and titles are the program's own, and later versions of the protocol may report more.
            }
        }
    }

    /**
     * An update outside of a turn. Messages and tool calls are those of earlier turns, which a program repeats while it loads them. The
     * cost is the sum of the conversation: what was there before the first prompt is not reported again.
     */
    void readBetweenTurns(JsonObject update, boolean prompted) {
        if ("usage_update".equals(AgentJson.text(update, "sessionUpdate"))) {
            if (prompted) {
                cost(update);
            } else {
                Long total = totalCost(update);
                costMicroUsd = total == null ? costMicroUsd : total;
                costReported |= total != null;
            }
        }
    }

    /** The usage in the answer to a prompt, which is that of the turn. Gemini reports it in its own place and words. */
    void readUsage(JsonObject result) {
        JsonObject usage = AgentJson.object(result, "usage");
        if (usage.isEmpty()) {
            JsonObject quota = AgentJson.object(AgentJson.object(result, "_meta"), "quota");
            JsonObject count = AgentJson.object(quota, "token_count");
            used(AgentJson.count(count, "input_tokens"), AgentJson.count(count, "output_tokens"));
            return;
        }
        long input = AgentJson.count(usage, "inputTokens");
        long output = AgentJson.count(usage, "outputTokens");
        // Some programs count cached and thought tokens among these, others beside them; the total tells which.
        long beside = Math.max(0, AgentJson.count(usage, "totalTokens") - input - output);
        long cached = Math.min(
                beside, AgentJson.count(usage, "cachedReadTokens") + AgentJson.count(usage, "cachedWriteTokens"));
        long thought = Math.min(beside - cached, AgentJson.count(usage, "thoughtTokens"));
        used(input + cached, output + thought);
    }

    private void used(long input, long output) {
        if (input + output > 0) {
            events.accept(new AgentEvent.Used(input, output, 0));
        }
    }

    /** The fields of a tool call in an update, or in a permission request. */
    void toolCall(JsonObject update) {
        String id = AgentJson.line(update, "toolCallId");
        if (id == null) {
            return;
        }
        String name = AgentJson.line(update, "name");
        Status status = status(AgentJson.text(update, "status"));
        boolean over = status == Status.COMPLETED || status == Status.FAILED;
        List<JsonObject> content = AgentJson.objects(update, "content");
        JsonObject terminal = AgentJson.object(AgentJson.object(update, "_meta"), "terminal_output");
        calls.update(new ToolCalls.Report(
                id,
                name == null ? AgentJson.line(update, "kind") : name,
                AgentJson.line(update, "title"),
                status,
                AgentJson.encoded(update.getValue("rawInput")),
                content.isEmpty() ? null : AcpContent.output(content),
                AgentJson.text(terminal, "data"),
                over ? AcpContent.result(update.getValue("rawOutput")) : null));
    }

    private void said(Role role, JsonObject update) {
        String id = AgentJson.line(update, "messageId");
        boolean usable = id != null && id.length() <= MESSAGE_ID_CHARS;
        speech.say(role, usable ? id : null, AcpContent.text(AgentJson.object(update, "content")));
    }

    private void plan(JsonObject update) {
        events.accept(new AgentEvent.Plan(AgentJson.objects(update, "entries").stream()
                .limit(Limits.AGENT_PLAN_ENTRIES)
                .map(AcpUpdates::entry)
                .toList()));
    }

    private static TaskAgentPlan.Entry entry(JsonObject entry) {
        String content = AgentJson.line(entry, "content");
        String status = AgentJson.line(entry, "status");
        return new TaskAgentPlan.Entry(
                content == null ? "" : WholeCharacters.beginning(content, Limits.AGENT_PLAN_ENTRY_CHARS),
                status == null || status.isBlank() ? "pending" : WholeCharacters.beginning(status, Limits.NAME_CHARS));
    }

    private void cost(JsonObject update) {
        Long total = totalCost(update);
        if (total == null) {
            return;
        }
        // A sum below the one of an earlier run is a new one; one that shrinks later lacks what the agent has taken
        // back.
        long more = costReported || total >= costMicroUsd ? Math.max(0, total - costMicroUsd) : total;
        costReported = true;
        costMicroUsd = total;
        if (more > 0) {
            events.accept(new AgentEvent.Used(0, 0, more));
        }
    }

    /** Costs in another currency than the dollar are left out: they cannot be added to others. */
    private static @Nullable Long totalCost(JsonObject update) {
        JsonObject cost = AgentJson.object(update, "cost");
        String currency = AgentJson.text(cost, "currency");
        return currency == null || currency.equalsIgnoreCase("USD") ? AgentJson.micros(cost, "amount") : null;
    }

    private static @Nullable Status status(@Nullable String word) {
        return switch (word) {
            case "pending" -> Status.PENDING;
            case "in_progress" -> Status.RUNNING;
            case "completed" -> Status.COMPLETED;
            case "failed" -> Status.FAILED;
            case null, default -> null;
        };
    }
}
