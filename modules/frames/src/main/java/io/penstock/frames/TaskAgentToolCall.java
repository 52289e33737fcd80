package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The agent uses a tool of its own. The first frame of a call, and only that, has the status pending; each later one says what has changed: a
 * null field is as before, and output continues the output so far.
 *
 * @param name the tool, as the program names it
 * @param title what the call does, for people
 * @param input the arguments, or as much of them as a frame holds
 * @param childTaskId the task that carries out the call
 */
public record TaskAgentToolCall(
        int turn,
        String callId,
        @Nullable String name,
        @Nullable String title,
        @Nullable Status status,
        @Nullable String input,
        @Nullable String output,
        @Nullable String childTaskId)
        implements TaskFrame {

    /** How far the call is. */
    public enum Status {
        PENDING,
        RUNNING,
        COMPLETED,
        FAILED;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskAgentToolCall {
        Checks.atLeastOne(turn, "turn");
        callId = Checks.notBlank(callId, "call_id");
        name = Checks.textOrNull(name, "name");
        title = Checks.textOrNull(title, "title");
        input = input == null ? null : Checks.utf8(input, "input", Limits.AGENT_TOOL_BYTES);
        output = output == null ? null : Checks.utf8(output, "output", Limits.AGENT_TOOL_BYTES);
        if (childTaskId != null) {
            StreamId.task(childTaskId);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_AGENT_TOOL_CALL;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("turn", turn);
        json.text("call_id", callId);
        json.textOrNull("name", name);
        json.textOrNull("title", title);
        json.textOrNull("call_status", status == null ? null : status.wireName());
        json.textOrNull("input", input);
        json.textOrNull("output", output);
        json.textOrNull("child_task_id", childTaskId);
    }

    static TaskAgentToolCall readJson(JsonFields fields) {
        return new TaskAgentToolCall(
                fields.smallNumber("turn"),
                fields.text("call_id"),
                fields.textOrNull("name"),
                fields.textOrNull("title"),
                fields.oneOfOrNull("call_status", Status.class),
                fields.textOrNull("input"),
                fields.textOrNull("output"),
                fields.textOrNull("child_task_id"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(turn);
        out.writeText(callId);
        out.writeTextOrNull(name);
        out.writeTextOrNull(title);
        out.writeConstantOrNull(status);
        out.writeTextOrNull(input);
        out.writeTextOrNull(output);
        out.writeTextOrNull(childTaskId);
    }

    static TaskAgentToolCall readStored(ByteReader in) {
        return new TaskAgentToolCall(
                in.readSmallNumber(),
                in.readText(),
                in.readTextOrNull(),
                in.readTextOrNull(),
                in.readConstantOrNull(Status.class),
                in.readTextOrNull(),
                in.readTextOrNull(),
                in.readTextOrNull());
    }
}
