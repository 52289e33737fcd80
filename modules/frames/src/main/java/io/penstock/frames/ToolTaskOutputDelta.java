package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The program wrote: which bytes of which channel. The bytes themselves are in the channel's artifact.
 *
 * @param offset of the first of these bytes, counted from the channel's first byte ever
 * @param bytesStored how much of the channel is stored after this delta; less than all of it once the cap is reached
 * @param lines that these bytes touch; null in frames from before it was recorded
 * @param text what to show for these bytes; absent in the stored form, filled in by who has them at hand
 */
public record ToolTaskOutputDelta(
        Channel channel,
        long offset,
        int bytes,
        long bytesStored,
        @Nullable LineSpan lines,
        @Nullable DeltaText text) implements TaskFrame {

    public ToolTaskOutputDelta {
        Checks.notNegative(offset, "offset_bytes");
        Checks.notNegative(bytesStored, "bytes_stored");
        if (bytes < 1 || bytes > Limits.DELTA_BYTES) {
            throw new IllegalArgumentException("A delta covers 1 to " + Limits.DELTA_BYTES + " bytes, not " + bytes);
        }
        Checks.notNegative(offset + bytes, "bytes_total");
        if (lines != null && lines.count() > bytes) {
            throw new IllegalArgumentException(bytes + " bytes touch at most as many lines, not " + lines.count());
        }
        if (text != null && text.log().channel() != channel) {
            throw new IllegalArgumentException("The text of a delta of " + channel.wireName() + " is not from "
                    + text.log().channel().wireName());
        }
        if (bytesStored > offset + bytes) {
            throw new IllegalArgumentException(
                    "bytes_stored " + bytesStored + " exceeds bytes_total " + (offset + bytes));
        }
    }

    /** By reference, as it is recorded. */
    public ToolTaskOutputDelta(Channel channel, long offset, int bytes, long bytesStored, @Nullable LineSpan lines) {
        this(channel, offset, bytes, bytesStored, lines, null);
    }

    /** The same of bytes whose lines were not counted. */
    public ToolTaskOutputDelta(Channel channel, long offset, int bytes, long bytesStored) {
        this(channel, offset, bytes, bytesStored, null, null);
    }

    public ToolTaskOutputDelta byReference() {
        return text == null ? this : new ToolTaskOutputDelta(channel, offset, bytes, bytesStored, lines, null);
    }

    public long bytesTotal() {
        return offset + bytes;
    }

    public boolean truncated() {
        return bytesStored < bytesTotal();
    }

    public ToolTaskOutputDelta with(DeltaText text) {
        return new ToolTaskOutputDelta(channel, offset, bytes, bytesStored, lines, text);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_OUTPUT_DELTA;
    }
}
