package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The agent program of this run is ready for a turn: it began a conversation, or loaded the one of an earlier run.
 *
 * @param agentSessionId the program's own name of the conversation
 * @param loaded whether the conversation is that of an earlier run
 * @param canLoad whether a later run can load it
 * @param agentName as the program calls itself
 */
public record TaskAgentOpened(
        String agentSessionId,
        boolean loaded,
        boolean canLoad,
        @Nullable String agentName,
        @Nullable String agentVersion)
        implements TaskFrame {

    public TaskAgentOpened {
        agentSessionId = Checks.notBlank(agentSessionId, "agent_session_id");
        agentName = Checks.textOrNull(agentName, "agent_name");
        agentVersion = Checks.textOrNull(agentVersion, "agent_version");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_AGENT_OPENED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("agent_session_id", agentSessionId);
        json.flag("loaded", loaded);
        json.flag("can_load", canLoad);
        json.textOrNull("agent_name", agentName);
        json.textOrNull("agent_version", agentVersion);
    }

    static TaskAgentOpened readJson(JsonFields fields) {
        return new TaskAgentOpened(
                fields.text("agent_session_id"),
                fields.flag("loaded"),
                fields.flag("can_load"),
                fields.textOrNull("agent_name"),
                fields.textOrNull("agent_version"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(agentSessionId);
        out.writeNumber(loaded ? 1 : 0);
        out.writeNumber(canLoad ? 1 : 0);
        out.writeTextOrNull(agentName);
        out.writeTextOrNull(agentVersion);
    }

    static TaskAgentOpened readStored(ByteReader in) {
        return new TaskAgentOpened(
                in.readText(), in.readNumber() != 0, in.readNumber() != 0, in.readTextOrNull(), in.readTextOrNull());
    }
}
