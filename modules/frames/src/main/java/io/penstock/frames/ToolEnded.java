package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A task of this session has ended. */
public record ToolEnded(
        StreamId task, Outcome outcome, @Nullable Integer exitCode, long taskSeq) implements SessionFrame {

    public ToolEnded {
        SessionFrame.requireTask(task);
        // Checks that outcome and exit code agree.
        new Ending(outcome, exitCode, null);
        Checks.notNegative(taskSeq, "task_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_ENDED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("outcome", outcome.wireName());
        json.numberOrNull("exit_code", exitCode);
        json.number("task_seq", taskSeq);
    }

    static ToolEnded readJson(JsonFields fields) {
        return new ToolEnded(
                StreamId.task(fields.text("task_id")),
                fields.oneOf("outcome", Outcome.class),
                fields.smallNumberOrNull("exit_code"),
                fields.number("task_seq"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeConstant(outcome);
        out.writeNumberOrNull(exitCode);
        out.writeNumber(taskSeq);
    }

    static ToolEnded readStored(ByteReader in) {
        return new ToolEnded(
                StreamId.task(in.readText()),
                in.readConstant(Outcome.class),
                in.readSmallNumberOrNull(),
                in.readNumber());
    }
}
