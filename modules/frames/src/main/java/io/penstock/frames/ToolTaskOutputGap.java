package io.penstock.frames;

/**
 * Bytes of a channel that are not stored although they are within its cap, because the disk was full or failed. Recorded when storing
 * continues after them, or when the output ends. Every such byte is in exactly one gap.
 *
 * @param offset the offset of the first missing byte, counted from the channel's very first byte
 * @param bytes the number of missing bytes
 * @param reason a sentence that says why they were not stored
 */
public record ToolTaskOutputGap(Channel channel, long offset, long bytes, String reason) implements TaskFrame {

    public ToolTaskOutputGap {
        Checks.notNegative(offset, "offset_bytes");
        Checks.atLeastOne(bytes, "bytes");
        Checks.notNegative(bytes, "bytes");
        Checks.notNegative(offset + bytes, "end of the gap");
        reason = Checks.notBlank(reason, "reason");
    }

    /** The offset of the first byte after the gap. */
    public long end() {
        return offset + bytes;
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_OUTPUT_GAP;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("stream", channel.wireName());
        json.number("offset_bytes", offset);
        json.number("bytes", bytes);
        json.text("reason", reason);
    }

    static ToolTaskOutputGap readJson(JsonFields fields) {
        return new ToolTaskOutputGap(
                fields.oneOf("stream", Channel.class),
                fields.number("offset_bytes"),
                fields.number("bytes"),
                fields.text("reason"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeConstant(channel);
        out.writeNumber(offset);
        out.writeNumber(bytes);
        out.writeText(reason);
    }

    static ToolTaskOutputGap readStored(ByteReader in) {
        return new ToolTaskOutputGap(in.readConstant(Channel.class), in.readNumber(), in.readNumber(), in.readText());
    }
}
