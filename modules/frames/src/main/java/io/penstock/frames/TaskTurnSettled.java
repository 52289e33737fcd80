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

    @Override
    public void writeJson(JsonWriter json) {
        json.number("turn", turn);
        json.text("stop_reason", stopReason);
        json.textOrNull("result", result);
    }

    static TaskTurnSettled readJson(JsonFields fields) {
        return new TaskTurnSettled(fields.smallNumber("turn"), fields.text("stop_reason"), fields.textOrNull("result"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(turn);
        out.writeText(stopReason);
        out.writeTextOrNull(result);
    }

    static TaskTurnSettled readStored(ByteReader in) {
        return new TaskTurnSettled(in.readSmallNumber(), in.readText(), in.readTextOrNull());
    }
}
