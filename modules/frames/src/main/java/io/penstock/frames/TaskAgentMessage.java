package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The next part of a message of the agent. The text of a message is the text of its frames, joined.
 *
 * @param messageId equal in all frames of one message; null if the program does not name its messages: then the frames of one role without
 *     a tool call between them are one message
 */
public record TaskAgentMessage(
        int turn, Role role, @Nullable String messageId, String text) implements TaskFrame {

    /** The kind of text. */
    public enum Role {
        ASSISTANT,
        /** What the agent thinks, which is not part of its answer. */
        THOUGHT;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskAgentMessage {
        Checks.atLeastOne(turn, "turn");
        messageId = Checks.textOrNull(messageId, "message_id");
        text = Checks.utf8(text, "text", Limits.ARGS_BYTES);
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_AGENT_MESSAGE;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("turn", turn);
        json.text("role", role.wireName());
        json.textOrNull("message_id", messageId);
        json.text("text", text);
    }

    static TaskAgentMessage readJson(JsonFields fields) {
        return new TaskAgentMessage(
                fields.smallNumber("turn"),
                fields.oneOf("role", Role.class),
                fields.textOrNull("message_id"),
                fields.text("text"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(turn);
        out.writeConstant(role);
        out.writeTextOrNull(messageId);
        out.writeText(text);
    }

    static TaskAgentMessage readStored(ByteReader in) {
        return new TaskAgentMessage(
                in.readSmallNumber(), in.readConstant(Role.class), in.readTextOrNull(), in.readText());
    }
}
