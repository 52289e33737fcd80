package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A task of this session wrote to its stderr. */
public record ToolStderr(StreamId task, String chunk, long taskSeq) implements SessionFrame {

    public ToolStderr {
        SessionFrame.requireTask(task);
        chunk = Checks.utf8(chunk, "chunk", Limits.CHUNK_BYTES);
        Checks.notNegative(taskSeq, "task_seq");
    }

    @Override
    public @Nullable SessionProgress progress() {
        return null;
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_STDERR;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("chunk", chunk);
        json.number("task_seq", taskSeq);
    }

    static ToolStderr readJson(JsonFields fields) {
        return new ToolStderr(StreamId.task(fields.text("task_id")), fields.text("chunk"), fields.number("task_seq"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeText(chunk);
        out.writeNumber(taskSeq);
    }

    static ToolStderr readStored(ByteReader in) {
        return new ToolStderr(StreamId.task(in.readText()), in.readText(), in.readNumber());
    }
}
