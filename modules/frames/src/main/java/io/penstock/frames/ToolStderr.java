package io.penstock.frames;

/** A task of this session wrote to its stderr. */
public record ToolStderr(StreamId task, String chunk, long taskSeq) implements SessionFrame {

    public ToolStderr {
        SessionFrame.requireTask(task);
        chunk = Checks.utf8(chunk, "chunk", Limits.CHUNK_BYTES);
        Checks.notNegative(taskSeq, "task_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_STDERR;
    }
}
