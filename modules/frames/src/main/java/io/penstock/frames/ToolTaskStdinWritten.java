package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * Input reached the program's terminal.
 *
 * @param bytes how many
 * @param chunkBase64 the bytes, or null if the terminal did not echo: then only their number is recorded
 */
public record ToolTaskStdinWritten(int bytes, @Nullable String chunkBase64, Actor actor) implements TaskFrame {

    public ToolTaskStdinWritten {
        if (bytes < 1 || bytes > Limits.STDIN_BYTES) {
            throw new IllegalArgumentException(
                    "One write to stdin has 1 to " + Limits.STDIN_BYTES + " bytes, not " + bytes);
        }
        if (chunkBase64 != null && chunkBase64.length() != (bytes + 2) / 3 * 4) {
            throw new IllegalArgumentException("chunk_b64 of " + bytes + " bytes has " + (bytes + 2) / 3 * 4
                    + " characters, not " + chunkBase64.length());
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STDIN_WRITTEN;
    }
}
