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
}
