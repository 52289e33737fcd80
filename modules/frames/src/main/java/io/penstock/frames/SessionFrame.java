package io.penstock.frames;

/** What can happen in a session: facts about its tasks, told a second time under the contract's session names. */
public sealed interface SessionFrame extends FrameBody permits ToolStdout, ToolStderr, ToolEnded {

    /** The task that the fact is about. */
    StreamId task();

    static void requireTask(StreamId task) {
        if (task.kind() != StreamKind.TASK) {
            throw new IllegalArgumentException("A session frame tells of a task, not of " + task);
        }
    }
}
