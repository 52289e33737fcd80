package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The stopping was carried out: the program is gone because of it. The terminal status follows. */
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
