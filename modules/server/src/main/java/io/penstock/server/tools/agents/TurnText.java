package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskTurnStarted;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an agent has said in its newest turn, steering included; collected from the end backwards. */
final class TurnText {

    private final int maxChars;
    private final ArrayDeque<String> parts = new ArrayDeque<>();
    private int chars;
    private @Nullable String messageId;
    private boolean parted;

    private TurnText(int maxChars) {
        this.maxChars = maxChars;
    }

    /**
     * Reads the text, or the end of a longer one.
     *
     * @param maxChars about how much is read
     */
    static Future<String> read(TaskApi tasks, SessionTask task, int maxChars) {
        if (task.agent() == null || task.state().turns() == 0) {
            return Future.succeededFuture("");
        }
        var text = new TurnText(maxChars);
        return NewestFrames.read(tasks, task, text::add).map(done -> String.join("", text.parts));
    }

    /** Whether the frame before this one may belong to the text. */
    private boolean add(Frame frame) {
        switch (frame.body()) {
            case TaskAgentMessage message
            when message.role() == TaskAgentMessage.Role.ASSISTANT -> {
                boolean another = parted || !Objects.equals(messageId, message.messageId());
                parts.addFirst(message.text() + (another && !parts.isEmpty() ? "\n\n" : ""));
                chars += message.text().length();
                messageId = message.messageId();
                parted = false;
                return chars < maxChars;
            }
            case TaskAgentToolCall _ -> {
                parted = true;
                return true;
            }
            case TaskTurnStarted turn -> {
                return turn.kind() == TaskTurnStarted.Kind.STEER;
            }
            case TaskRunStarted _ -> {
                return false;
            }
            default -> {
                return true;
            }
        }
    }
}
