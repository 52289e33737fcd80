package io.penstock.frames;

/** An event of a session: a fact about one of its tasks, repeated under the contract's session names. */
public sealed interface SessionFrame extends FrameBody permits ToolStdout, ToolStderr, ToolEnded {

    /** The task that the fact is about. */
    StreamId task();

    static void requireTask(StreamId task) {
        if (task.kind() != StreamKind.TASK) {
            throw new IllegalArgumentException("a session frame is about a task, not about " + task);
        }
    }
}
