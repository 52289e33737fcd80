package io.penstock.engine.task.agent;

import io.penstock.engine.agent.AgentEvent;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.frames.TaskAgentPlan;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskUsage;
import io.penstock.frames.WholeCharacters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records what an agent says and does during a turn. Pieces of one message that are read together become one frame. */
final class AgentFrames {

    private final TaskRecord record;
    private final ResultText result = new ResultText();
    private final StringBuilder text = new StringBuilder();
    private final Map<String, Boolean> calls = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > AgentLimits.KNOWN_CALLS;
        }
    };
    private Role role = Role.ASSISTANT;
    private @Nullable String messageId;
    private long recordedChars;
    private boolean capped;
    /** Whether the next text begins another message. */
    private boolean newMessage = true;

    AgentFrames(TaskRecord record) {
        this.record = record;
    }

    /** A turn begins. */
    void begin() {
        flush();
        result.clear();
        newMessage = true;
    }

    /** The agent's last message of the turn so far. */
    @Nullable
    String result() {
        return result.text();
    }

    void said(AgentEvent.Said said) {
        boolean another = said.role() != role || !Objects.equals(said.messageId(), messageId);
        if (another) {
            flush();
            role = said.role();
            messageId = said.messageId() == null ? null : fitting(said.messageId());
        }
        if (role == Role.ASSISTANT) {
            if (newMessage || (another && said.messageId() != null)) {
                result.clear();
                newMessage = false;
            }
            result.add(said.text());
        }
        text.append(said.text());
        if (text.length() >= AgentLimits.TEXT_CHARS) {
            flush();
        }
    }

    void called(AgentEvent.ToolCall call) {
        flush();
        newMessage = true;
        String id = fitting(call.callId());
        String name = call.name() == null ? null : fitting(call.name());
        String given = call.title() == null ? null : fitting(call.title());
        if (id.isBlank() || !hasRoom(id.length() + chars(name) + chars(given))) {
            return;
        }
        TaskAgentToolCall.Status status = call.status();
        boolean begins = calls.put(id, Boolean.TRUE) == null;
        if (begins) {
            record.write(new TaskAgentToolCall(
                    turn(),
                    id,
                    name,
                    given != null ? given : name != null ? name : id,
                    TaskAgentToolCall.Status.PENDING,
                    counted(call.input()),
                    null,
                    null));
        }
        TaskAgentToolCall.Status changed = begins && status == TaskAgentToolCall.Status.PENDING ? null : status;
        String output = counted(call.output());
        String title = begins ? null : given;
        String input = begins ? null : counted(call.input());
        if (changed != null || output != null || title != null || input != null) {
            record.write(new TaskAgentToolCall(turn(), id, null, title, changed, input, output, null));
        }
    }

    /** A child task carries out a call. */
    void child(String callId, String title, String childTaskId) {
        flush();
        newMessage = true;
        String shown = fitting(title);
        if (!hasRoom(callId.length() + shown.length())) {
            return;
        }
        record.write(new TaskAgentToolCall(
                turn(),
                fitting(callId),
                "terminal",
                shown,
                calls.put(callId, Boolean.TRUE) == null ? TaskAgentToolCall.Status.PENDING : null,
                null,
                null,
                childTaskId));
    }

    void planned(AgentEvent.Plan plan) {
        flush();
        List<TaskAgentPlan.Entry> entries =
                plan.entries().stream().limit(Limits.AGENT_PLAN_ENTRIES).toList();
        if (hasRoom(
                entries.stream().mapToLong(entry -> entry.content().length()).sum())) {
            record.write(new TaskAgentPlan(turn(), entries));
        }
    }

    void used(AgentEvent.Used used) {
        flush();
        if (used.inputTokens() > 0 || used.outputTokens() > 0 || used.costMicroUsd() > 0) {
            record.write(new TaskUsage(used.inputTokens(), used.outputTokens(), used.costMicroUsd()));
        }
    }

    /** Records text that is not recorded yet. */
    void flush() {
        for (int at = 0; at < text.length(); ) {
            int to = WholeCharacters.boundary(text, Math.min(text.length(), at + AgentLimits.TEXT_CHARS));
            String piece = counted(text.substring(at, to));
            if (piece != null) {
                record.write(new TaskAgentMessage(turn(), role, messageId, piece));
            }
            at = to;
        }
        text.setLength(0);
    }

    private int turn() {
        return record.reached().turns();
    }

    /** The text as a frame holds it; null beyond the limit of the run. */
    private @Nullable String counted(@Nullable String given) {
        if (given == null || given.isEmpty()) {
            return null;
        }
        String fits = given.length() <= AgentLimits.TEXT_CHARS
                ? given
                : WholeCharacters.beginning(given, AgentLimits.TEXT_CHARS) + "\n["
                        + (given.length() - AgentLimits.TEXT_CHARS) + " characters are left out]";
        return hasRoom(fits.length()) ? fits : null;
    }

    private static int chars(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Whether the frames of the run have room for this much text; the first time that they do not is recorded. */
    private boolean hasRoom(long chars) {
        recordedChars += chars + AgentLimits.FRAME_CHARS;
        if (recordedChars <= AgentLimits.TEXT_PER_RUN_CHARS) {
            return true;
        }
        if (!capped) {
            capped = true;
            record.write(new TaskNotice(
                    "agent_text_capped",
                    "The agent has written " + AgentLimits.TEXT_PER_RUN_CHARS
                            + " characters in this run; what follows is not recorded, except as its result"));
        }
        return false;
    }

    private static String fitting(String text) {
        return WholeCharacters.beginning(text, Limits.TEXT_CHARS);
    }
}
