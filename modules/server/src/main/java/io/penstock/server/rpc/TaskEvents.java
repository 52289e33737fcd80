package io.penstock.server.rpc;

import io.penstock.frames.ContractStatus;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns the frames of one task, in order, into the events that hosts get. */
final class TaskEvents {

    /** How a turn is settled whose program has gone: what follows is the end of the run, which says why. */
    private static final String ENDED = "ended";

    private static final String BROKEN = "broken";

    private final String taskName;
    private @Nullable String promptId;
    private @Nullable String failure;
    private boolean inTurn;

    TaskEvents(String taskName) {
        this.taskName = taskName;
    }

    /** The same from here on. */
    TaskEvents copy() {
        var copy = new TaskEvents(taskName);
        copy.promptId = promptId;
        copy.failure = failure;
        copy.inTurn = inTurn;
        return copy;
    }

    /** The lines of the events that the next frame causes, to be encoded when they are not known yet; null for most frames. */
    @Nullable
    Supplier<Buffer> after(Frame frame) {
        return switch (frame.body()) {
            case TaskTurnStarted turn -> {
                promptId = turn.promptId();
                failure = null;
                inTurn = true;
                yield null;
            }
            case TaskAgentMessage message ->
                output(frame, message.role() == TaskAgentMessage.Role.ASSISTANT ? "text" : "thinking", message.text());
            case TaskAgentToolCall call when call.output() != null -> output(frame, "tool", call.output());
            case TaskNotice notice
            when notice.code().equals(TaskNotice.TURN_FAILED) -> {
                failure = notice.message();
                yield null;
            }
            case TaskTurnSettled settled -> settled(frame, settled);
            case ToolTaskStatus status
            when status.ending() != null -> ended(frame, status.ending().outcome(), status.error());
            default -> null;
        };
    }

    private Supplier<Buffer> output(Frame frame, String kind, String chunk) {
        return event(frame, "agent_output", ofPrompt().put("chunk", chunk).put("kind", kind));
    }

    private @Nullable Supplier<Buffer> settled(Frame frame, TaskTurnSettled settled) {
        boolean gone =
                settled.stopReason().equals(ENDED) || settled.stopReason().equals(BROKEN);
        if (gone) {
            return null;
        }
        inTurn = false;
        return failure == null
                ? event(frame, "agent_end", ofPrompt().put("stopReason", settled.stopReason()))
                : event(
                        frame,
                        "task_error",
                        ofPrompt().mergeIn(new RpcRefusal(RpcCode.INTERNAL_ERROR, failure, false, true).json()));
    }

    private Supplier<Buffer> ended(Frame frame, Outcome outcome, @Nullable String error) {
        boolean stopped = ContractStatus.taskd(Phase.ENDED, outcome, false).equals("stopped");
        Supplier<Buffer> end;
        if (!stopped) {
            JsonObject prompt = inTurn ? ofPrompt() : new JsonObject();
            String why = Objects.requireNonNullElse(error, "the agent program ended");
            end = event(frame, "task_error", prompt.mergeIn(RpcRefusal.dead(why).json()));
        } else if (inTurn) {
            Supplier<Buffer> turn = event(frame, "agent_end", ofPrompt().put("stopReason", "cancelled"));
            end = () -> turn.get().appendBuffer(stopped(frame).get());
        } else {
            end = stopped(frame);
        }
        inTurn = false;
        promptId = null;
        return end;
    }

    private Supplier<Buffer> stopped(Frame frame) {
        return event(frame, "task_stopped", new JsonObject());
    }

    private JsonObject ofPrompt() {
        var payload = new JsonObject();
        return promptId == null ? payload : payload.put("promptId", promptId);
    }

    private Supplier<Buffer> event(Frame frame, String event, JsonObject payload) {
        return () -> RpcLine.event(event, frame.timestampMs(), taskName, payload);
    }
}
