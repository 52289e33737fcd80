package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The stop was carried out: it ended the program. The final status follows. */
public record ToolTaskCancelled(@Nullable String reason, long wallTimeMs) implements TaskFrame {

    public ToolTaskCancelled {
        reason = Checks.textOrNull(reason, "reason");
        Checks.notNegative(wallTimeMs, "wall_time_ms");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_CANCELLED;
    }
}
