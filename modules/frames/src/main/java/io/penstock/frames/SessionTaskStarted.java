package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A task was accepted for this session. */
public record SessionTaskStarted(
        StreamId task,
        String toolName,
        @Nullable String title,
        @Nullable TaskLabel label,
        SessionProgress progress) implements SessionFrame {

    public SessionTaskStarted {
        SessionFrame.requireTask(task);
        toolName = Checks.notBlank(toolName, "tool_name");
        title = Checks.textOrNull(title, "title");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_TASK_STARTED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("tool_name", toolName);
        json.textOrNull("title", title);
        json.textOrNull("label", label == null ? null : label.text());
        progress.writeJson(json);
    }

    static SessionTaskStarted readJson(JsonFields fields) {
        return new SessionTaskStarted(
                StreamId.task(fields.text("task_id")),
                fields.text("tool_name"),
                fields.textOrNull("title"),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeText(toolName);
        out.writeTextOrNull(title);
        out.writeTextOrNull(label == null ? null : label.text());
        progress.writeStored(out);
    }

    static SessionTaskStarted readStored(ByteReader in) {
        return new SessionTaskStarted(
                StreamId.task(in.readText()),
                in.readText(),
                in.readTextOrNull(),
                TaskLabel.ofNullable(in.readTextOrNull()),
                SessionProgress.readStored(in));
    }
}
