package io.penstock.frames;

/** A task of this session wrote to its stdout. */
public record ToolStdout(StreamId task, String chunk, long taskSeq) implements SessionFrame {

    public ToolStdout {
        SessionFrame.requireTask(task);
        chunk = Checks.utf8(chunk, "chunk", Limits.CHUNK_BYTES);
        Checks.notNegative(taskSeq, "task_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_STDOUT;
    }
}
