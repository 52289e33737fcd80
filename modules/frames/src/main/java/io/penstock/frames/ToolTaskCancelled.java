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

    @Override
    public void writeJson(JsonWriter json) {
        json.textOrNull("reason", reason);
        json.number("wall_time_ms", wallTimeMs);
    }

    static ToolTaskCancelled readJson(JsonFields fields) {
        return new ToolTaskCancelled(fields.textOrNull("reason"), fields.number("wall_time_ms"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeTextOrNull(reason);
        out.writeNumber(wallTimeMs);
    }

    static ToolTaskCancelled readStored(ByteReader in) {
        return new ToolTaskCancelled(in.readTextOrNull(), in.readNumber());
    }
}
