package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** Somebody, or a limit, wants the task to stop. From here on it is stopping. */
public record ToolTaskCancelRequested(@Nullable String reason, Cause cause, Actor actor) implements TaskFrame {

    public ToolTaskCancelRequested {
        reason = Checks.textOrNull(reason, "reason");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_CANCEL_REQUESTED;
    }
}
