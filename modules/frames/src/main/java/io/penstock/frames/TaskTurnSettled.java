package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The agent has settled: the turn has ended, and the agent waits for the next one. */
public record TaskTurnSettled(
        int turn, String stopReason, @Nullable String result) implements TaskFrame {

    public TaskTurnSettled {
        Checks.atLeastOne(turn, "turn");
        stopReason = Checks.notBlank(stopReason, "stop_reason");
        result = result == null ? null : Checks.utf8(result, "result", Limits.ARGS_BYTES);
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_TURN_SETTLED;
    }
}
