package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A task of this session wrote to its stdout. */
public record ToolStdout(StreamId task, String chunk, long taskSeq) implements SessionFrame {

    public ToolStdout {
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
        return FrameType.TOOL_STDOUT;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("chunk", chunk);
        json.number("task_seq", taskSeq);
    }

    static ToolStdout readJson(JsonFields fields) {
        return new ToolStdout(StreamId.task(fields.text("task_id")), fields.text("chunk"), fields.number("task_seq"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeText(chunk);
        out.writeNumber(taskSeq);
    }

    static ToolStdout readStored(ByteReader in) {
        return new ToolStdout(StreamId.task(in.readText()), in.readText(), in.readNumber());
    }
}
