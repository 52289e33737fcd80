package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A client or a limit requested the task to stop. From now on it is stopping. */
public record ToolTaskCancelRequested(@Nullable String reason, Cause cause, Actor actor) implements TaskFrame {

    public ToolTaskCancelRequested {
        reason = Checks.textOrNull(reason, "reason");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_CANCEL_REQUESTED;
    }
}
