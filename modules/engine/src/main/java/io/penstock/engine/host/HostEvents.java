package io.penstock.engine.host;

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
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the frames of one task, in order, into the events that hosts get. */
final class HostEvents {

    /** How a turn is settled whose program has gone: what follows is the end of the run, which says why. */
    private static final String ENDED = "ended";

    private static final String BROKEN = "broken";

    private final String taskName;
    private @Nullable String promptId;
    private @Nullable String failure;
    private boolean inTurn;

    HostEvents(String taskName) {
        this.taskName = taskName;
    }

    /** The same from here on. */
    HostEvents copy() {
        var copy = new HostEvents(taskName);
        copy.promptId = promptId;
        copy.failure = failure;
        copy.inTurn = inTurn;
        return copy;
    }

    /** The events that the next frame causes: none for most frames. */
    List<HostEvent> after(Frame frame) {
        return switch (frame.body()) {
            case TaskTurnStarted turn -> {
                promptId = turn.promptId();
                failure = null;
                inTurn = true;
                yield List.of();
            }
            case TaskAgentMessage message ->
                output(frame, message.role() == TaskAgentMessage.Role.ASSISTANT ? "text" : "thinking", message.text());
            case TaskAgentToolCall call when call.output() != null -> output(frame, "tool", call.output());
            case TaskNotice notice
            when notice.code().equals(TaskNotice.TURN_FAILED) -> {
                failure = notice.message();
                yield List.of();
            }
            case TaskTurnSettled settled -> settled(frame, settled);
            case ToolTaskStatus status
            when status.ending() != null -> ended(frame, status.ending().outcome(), status.error());
            default -> List.of();
        };
    }

    private List<HostEvent> output(Frame frame, String kind, String chunk) {
        return List.of(
                event(frame, "agent_output", ofPrompt().put("chunk", chunk).put("kind", kind)));
    }

    private List<HostEvent> settled(Frame frame, TaskTurnSettled settled) {
        boolean gone =
                settled.stopReason().equals(ENDED) || settled.stopReason().equals(BROKEN);
        if (gone) {
            return List.of();
        }
        inTurn = false;
        return List.of(
                failure == null
                        ? event(frame, "agent_end", ofPrompt().put("stopReason", settled.stopReason()))
                        : event(
                                frame,
                                "task_error",
                                ofPrompt()
                                        .mergeIn(new HostRefusal(HostCode.INTERNAL_ERROR, failure, false, true)
                                                .json())));
    }

    private List<HostEvent> ended(Frame frame, Outcome outcome, @Nullable String error) {
        JsonObject prompt = inTurn ? ofPrompt() : new JsonObject();
        List<HostEvent> end = new ArrayList<>();
        if (ContractStatus.taskd(Phase.ENDED, outcome, false).equals("stopped")) {
            if (inTurn) {
                end.add(event(frame, "agent_end", prompt.put("stopReason", "cancelled")));
            }
            end.add(event(frame, "task_stopped", new JsonObject()));
        } else {
            String why = Objects.requireNonNullElse(error, "the agent program ended");
            end.add(event(
                    frame, "task_error", prompt.mergeIn(HostRefusal.dead(why).json())));
        }
        inTurn = false;
        promptId = null;
        return end;
    }

    private JsonObject ofPrompt() {
        var payload = new JsonObject();
        return promptId == null ? payload : payload.put("promptId", promptId);
    }

    private HostEvent event(Frame frame, String event, JsonObject payload) {
        return new HostEvent(event, frame.timestampMs(), taskName, payload);
    }
}
