package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * A run of an agent task of this session has ended, or a task whose spawn said whether to notify of its end; other tasks have
 * {@link ToolEnded}.
 *
 * @param run the number of the run
 * @param taskSeq the terminal status in the task's stream
 * @param durationMs from the start of the program; null if that was never started
 * @param result the result of the agent's last turn
 * @param notifies whether this is a mailbox item
 */
public record SessionTaskEnded(
        StreamId task,
        String toolName,
        int run,
        Outcome outcome,
        @Nullable Integer exitCode,
        long taskSeq,
        @Nullable Long durationMs,
        @Nullable String error,
        @Nullable String title,
        @Nullable TaskLabel label,
        @Nullable String result,
        boolean notifies,
        SessionProgress progress)
        implements SessionFrame {

    public SessionTaskEnded {
        SessionFrame.requireTask(task);
        toolName = Checks.notBlank(toolName, "tool_name");
        Checks.atLeastOne(run, "run");
        // Checks that outcome and exit code agree.
        new Ending(outcome, exitCode, null);
        Checks.notNegative(taskSeq, "task_seq");
        Checks.notNegative(durationMs, "duration_ms");
        error = Checks.textOrNull(error, "error");
        title = Checks.textOrNull(title, "title");
        result = result == null ? null : Checks.utf8(result, "result", Limits.ARGS_BYTES);
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_TASK_ENDED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("tool_name", toolName);
        json.number("run", run);
        json.text("outcome", outcome.wireName());
        json.numberOrNull("exit_code", exitCode);
        json.number("task_seq", taskSeq);
        json.numberOrNull("duration_ms", durationMs);
        json.textOrNull("error", error);
        json.textOrNull("title", title);
        json.textOrNull("label", label == null ? null : label.text());
        json.textOrNull("result", result);
        json.flag("notify", notifies);
        progress.writeJson(json);
    }

    static SessionTaskEnded readJson(JsonFields fields) {
        return new SessionTaskEnded(
                StreamId.task(fields.text("task_id")),
                fields.text("tool_name"),
                fields.smallNumber("run"),
                fields.oneOf("outcome", Outcome.class),
                fields.smallNumberOrNull("exit_code"),
                fields.number("task_seq"),
                fields.numberOrNull("duration_ms"),
                fields.textOrNull("error"),
                fields.textOrNull("title"),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                fields.textOrNull("result"),
                fields.flag("notify"),
                SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeText(toolName);
        out.writeNumber(run);
        out.writeConstant(outcome);
        out.writeNumberOrNull(exitCode);
        out.writeNumber(taskSeq);
        out.writeNumberOrNull(durationMs);
        out.writeTextOrNull(error);
        out.writeTextOrNull(title);
        out.writeTextOrNull(label == null ? null : label.text());
        out.writeTextOrNull(result);
        out.writeNumber(notifies ? 1 : 0);
        progress.writeStored(out);
    }

    static SessionTaskEnded readStored(ByteReader in) {
        return new SessionTaskEnded(
                StreamId.task(in.readText()),
                in.readText(),
                in.readSmallNumber(),
                in.readConstant(Outcome.class),
                in.readSmallNumberOrNull(),
                in.readNumber(),
                in.readNumberOrNull(),
                in.readTextOrNull(),
                in.readTextOrNull(),
                TaskLabel.ofNullable(in.readTextOrNull()),
                in.readTextOrNull(),
                in.readNumber() != 0,
                SessionProgress.readStored(in));
    }
}
