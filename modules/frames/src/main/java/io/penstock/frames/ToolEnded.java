package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of this session has ended: a mailbox item. The first version had neither name nor duration, artifacts, error,
 * title, label and progress.
 *
 * @param taskSeq the task's terminal status
 * @param durationMs from the start of its program; null if that was never started
 */
public record ToolEnded(
        StreamId task,
        Outcome outcome,
        @Nullable Integer exitCode,
        long taskSeq,
        @Nullable String name,
        @Nullable Long durationMs,
        List<LogEnd> artifacts,
        @Nullable String error,
        @Nullable String title,
        @Nullable TaskLabel label,
        @Nullable SessionProgress progress)
        implements SessionFrame {

    public ToolEnded {
        SessionFrame.requireTask(task);
        // Checks that outcome and exit code agree.
        new Ending(outcome, exitCode, null);
        Checks.notNegative(taskSeq, "task_seq");
        name = name == null ? null : Checks.notBlank(name, "name");
        Checks.notNegative(durationMs, "duration_ms");
        artifacts = List.copyOf(artifacts);
        error = Checks.textOrNull(error, "error");
        title = Checks.textOrNull(title, "title");
    }

    /** The first version of this frame. */
    public ToolEnded(StreamId task, Outcome outcome, @Nullable Integer exitCode, long taskSeq) {
        this(task, outcome, exitCode, taskSeq, null, null, List.of(), null, null, null, null);
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
        json.text("tool_id", task.id());
        json.textOrNull("name", name);
        json.numberOrNull("duration_ms", durationMs);
        LogEnd.writeJson(artifacts, json);
        json.textOrNull("error", error);
        json.textOrNull("title", title);
        json.textOrNull("label", label == null ? null : label.text());
        if (progress != null) {
            progress.writeJson(json);
        }
    }

    static ToolEnded readJson(JsonFields fields) {
        return new ToolEnded(
                StreamId.task(fields.text("task_id")),
                fields.oneOf("outcome", Outcome.class),
                fields.smallNumberOrNull("exit_code"),
                fields.number("task_seq"),
                fields.textOrNull("name"),
                fields.numberOrNull("duration_ms"),
                LogEnd.readJson(fields),
                fields.textOrNull("error"),
                fields.textOrNull("title"),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                fields.numberOrNull("tasks_started") == null ? null : SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeConstant(outcome);
        out.writeNumberOrNull(exitCode);
        out.writeNumber(taskSeq);
        if (progress != null) {
            progress.writeCounters(out);
            out.writeTextOrNull(name);
            out.writeNumberOrNull(durationMs);
            LogEnd.writeStored(artifacts, out);
            artifacts.forEach(end -> out.writeTextOrNull(end.digest()));
            out.writeTextOrNull(error);
            out.writeTextOrNull(title);
            out.writeTextOrNull(label == null ? null : label.text());
            progress.writeMore(out);
        }
    }

    static ToolEnded readStored(ByteReader in) {
        StreamId task = StreamId.task(in.readText());
        Outcome outcome = in.readConstant(Outcome.class);
        Integer exitCode = in.readSmallNumberOrNull();
        long taskSeq = in.readNumber();
        if (!in.hasMore()) {
            return new ToolEnded(task, outcome, exitCode, taskSeq);
        }
        SessionProgress progress = SessionProgress.readCounters(in);
        String name = in.readTextOrNull();
        Long durationMs = in.readNumberOrNull();
        List<LogEnd> artifacts = LogEnd.readDigests(LogEnd.readStored(in), in);
        return new ToolEnded(
                task,
                outcome,
                exitCode,
                taskSeq,
                name,
                durationMs,
                artifacts,
                in.readTextOrNull(),
                in.readTextOrNull(),
                TaskLabel.ofNullable(in.readTextOrNull()),
                progress.readMore(in));
    }
}
