package io.penstock.engine.agent;

import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentPlan;
import io.penstock.frames.TaskAgentToolCall;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of an agent program. Texts are differences, also where the program reports a sum, and are not shortened. */
public sealed interface AgentEvent {

    /**
     * The conversation is open.
     *
     * @param loaded whether it is the one that was to be loaded
     * @param canLoad whether another program can load it later
     */
    record Opened(
            String sessionId,
            boolean loaded,
            boolean canLoad,
            @Nullable String agentName,
            @Nullable String agentVersion)
            implements AgentEvent {}

    /** The next part of a message. */
    record Said(TaskAgentMessage.Role role, @Nullable String messageId, String text) implements AgentEvent {}

    /**
     * A tool call began or changed; null is as before. The first event of a call has the status pending, and no later one has.
     *
     * @param output the next part of what it has put out
     */
    record ToolCall(
            String callId,
            @Nullable String name,
            @Nullable String title,
            TaskAgentToolCall.@Nullable Status status,
            @Nullable String input,
            @Nullable String output)
            implements AgentEvent {}

    record Plan(List<TaskAgentPlan.Entry> entries) implements AgentEvent {
        public Plan {
            entries = List.copyOf(entries);
        }
    }

    /** Usage since the last such event. */
    record Used(long inputTokens, long outputTokens, long costMicroUsd) implements AgentEvent {}

    /**
     * The agent asks for permission, and waits for the answer.
     *
     * @param callId the tool call that it wants to make, if it says so
     * @param tool the kind or name of the tool
     * @param title what it wants to do
     * @param input the arguments of the call
     */
    record Asks(
            String questionId,
            @Nullable String callId,
            @Nullable String tool,
            String title,
            JsonObject input) implements AgentEvent {}

    /** The agent calls a method of its client, such as {@code fs/read_text_file}, and waits for the answer. */
    record Calls(String callId, String method, JsonObject parameters) implements AgentEvent {}

    /**
     * The turn has ended, and the agent waits for the next.
     *
     * @param stopReason in the program's own word, such as end_turn or cancelled
     * @param error why the turn failed; null if it did not
     */
    record Settled(String stopReason, @Nullable String error) implements AgentEvent {}

    /**
     * The conversation cannot go on: the program broke the protocol, refused to open the conversation, or ended during a turn.
     *
     * @param sessionMissing whether the reason is that the conversation to load does not exist
     */
    record Broken(String reason, boolean sessionMissing) implements AgentEvent {}
}
