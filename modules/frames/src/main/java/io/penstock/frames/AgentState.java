package io.penstock.frames;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the frames of an agent task say about its agent.
 *
 * @param sessionId the program's name of the conversation; null before it is open
 * @param canLoad whether another run can load the conversation
 * @param resumes the number of turns of the kind resume
 * @param toolCalls the number of tool calls begun, in all turns
 * @param recentTools the newest of them, the last first
 * @param latest the newest thing that it said or did, shortened
 * @param updatedAtMs the time of the newest frame of the conversation: its opening, a turn, a message, a tool call or a plan
 */
public record AgentState(
        @Nullable String sessionId,
        boolean canLoad,
        int resumes,
        int toolCalls,
        List<String> recentTools,
        @Nullable String latest,
        @Nullable Long updatedAtMs) {

    private static final int RECENT_TOOLS = 5;

    static final AgentState NONE = new AgentState(null, false, 0, 0, List.of(), null, null);

    public AgentState {
        sessionId = Checks.textOrNull(sessionId, "session_id");
        Checks.notNegative(resumes, "resumes");
        Checks.notNegative(toolCalls, "tool_calls");
        recentTools = recentTools.stream()
                .map(tool -> Checks.text(tool, "recent_tools"))
                .toList();
        if (recentTools.size() > RECENT_TOOLS) {
            throw new IllegalArgumentException(
                    "recent_tools has at most " + RECENT_TOOLS + " names, not " + recentTools.size());
        }
        latest = Checks.textOrNull(latest, "latest");
        Checks.notNegative(updatedAtMs, "updated_at_ms");
    }

    AgentState opened(TaskAgentOpened opened, long atMs) {
        return new AgentState(opened.agentSessionId(), opened.canLoad(), resumes, toolCalls, recentTools, latest, atMs);
    }

    AgentState began(TaskTurnStarted.Kind turn, long atMs) {
        int more = turn == TaskTurnStarted.Kind.RESUME ? 1 : 0;
        return new AgentState(sessionId, canLoad, resumes + more, toolCalls, recentTools, latest, atMs);
    }

    AgentState said(TaskAgentMessage message, long atMs) {
        // The end of a longer text, since the newest is the most interesting.
        String newest = message.role() == TaskAgentMessage.Role.ASSISTANT
                ? WholeCharacters.end(message.text(), Limits.AGENT_LATEST_CHARS)
                : latest;
        return new AgentState(sessionId, canLoad, resumes, toolCalls, recentTools, newest, atMs);
    }

    /** Only the first frame of a call has the status pending. */
    AgentState used(TaskAgentToolCall call, long atMs) {
        if (call.status() != TaskAgentToolCall.Status.PENDING) {
            return seen(atMs);
        }
        String tool = call.name() == null ? call.title() : call.name();
        String shown = call.title() == null ? tool : call.title();
        var recent = new ArrayList<>(recentTools);
        if (tool != null) {
            recent.addFirst(WholeCharacters.beginning(tool, Limits.AGENT_LATEST_CHARS));
        }
        return new AgentState(
                sessionId,
                canLoad,
                resumes,
                toolCalls + 1,
                recent.subList(0, Math.min(recent.size(), RECENT_TOOLS)),
                shown == null ? latest : WholeCharacters.beginning(shown, Limits.AGENT_LATEST_CHARS),
                atMs);
    }

    AgentState seen(long atMs) {
        return new AgentState(sessionId, canLoad, resumes, toolCalls, recentTools, latest, atMs);
    }
}
