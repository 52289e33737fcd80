package io.penstock.frames;

/**
 * Bytes of a channel that are not stored, though they are within its cap: the disk had no room for them, or refused them. Recorded when
 * storing goes on behind them, or when the output ends. Every such byte is in exactly one gap.
 *
 * @param offset of the first missing byte, counted from the channel's first byte ever
 * @param bytes how many are missing
 * @param reason why they were not stored, as a sentence
 */
public record ToolTaskOutputGap(Channel channel, long offset, long bytes, String reason) implements TaskFrame {

    public ToolTaskOutputGap {
        Checks.notNegative(offset, "offset_bytes");
        Checks.atLeastOne(bytes, "bytes");
        Checks.notNegative(bytes, "bytes");
        Checks.notNegative(offset + bytes, "end of the gap");
        reason = Checks.notBlank(reason, "reason");
    }

    /** The offset of the first byte behind the gap. */
    public long end() {
        return offset + bytes;
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_OUTPUT_GAP;
    }
}
