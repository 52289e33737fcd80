package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The program wrote to a channel. The frame has the position of the bytes; the bytes themselves are in the channel's artifact.
 *
 * @param offset the offset of the first byte, counted from the channel's very first byte
 * @param bytesStored the stored length of the channel after this delta; less than its whole length once the cap is reached
 * @param lines the lines that these bytes touch; null in frames recorded before this field existed
 * @param text the text of these bytes; absent in the stored form, and read from the artifact for viewers
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

    /** Without text, as it is recorded. */
    public ToolTaskOutputDelta(Channel channel, long offset, int bytes, long bytesStored, @Nullable LineSpan lines) {
        this(channel, offset, bytes, bytesStored, lines, null);
    }

    /** Without text, and without counted lines. */
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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("stream", channel.wireName());
        json.textOrNull("chunk", text == null ? null : text.chunk());
        json.number("chunk_bytes", text == null ? 0 : text.chunkBytes());
        json.flag("chunk_truncated", text == null || text.truncated());
        json.begin("artifacts");
        json.begin("log");
        if (text == null) {
            json.absent("id");
            json.absent("path");
        } else {
            text.log().writeJson(json);
        }
        json.number("offset_bytes", offset);
        json.number("bytes", bytes);
        json.number("bytes_total", bytesTotal());
        json.number("bytes_stored", bytesStored);
        json.flag("truncated", truncated());
        json.numberOrNull("first_line", lines == null ? null : lines.first());
        json.numberOrNull("lines", lines == null ? null : lines.count());
        json.flag("removed", text != null && text.removed());
        json.end();
        json.end();
    }

    static ToolTaskOutputDelta readJson(JsonFields fields) {
        Channel channel = fields.oneOf("stream", Channel.class);
        JsonFields log = fields.in("artifacts").in("log");
        int bytes = log.smallNumber("bytes");
        Long firstLine = log.numberOrNull("first_line");
        LineSpan lines = firstLine == null ? null : new LineSpan(firstLine, log.smallNumber("lines"));
        return new ToolTaskOutputDelta(
                channel,
                log.number("offset_bytes"),
                bytes,
                log.number("bytes_stored"),
                lines,
                readText(channel, fields, log, bytes));
    }

    private static @Nullable DeltaText readText(Channel channel, JsonFields fields, JsonFields log, int bytes) {
        String chunk = fields.textOrNull("chunk");
        if (chunk == null) {
            return null;
        }
        LogRef ref = LogRef.readJson(channel, log);
        Integer chunkBytes = fields.smallNumberOrNull("chunk_bytes");
        if (chunkBytes == null) {
            // Before this field existed, the chunk was the beginning of the delta.
            int shown = new DeltaText(chunk, ref).chunkBytes();
            return new DeltaText(chunk, shown, shown < bytes, false, ref);
        }
        return new DeltaText(chunk, chunkBytes, fields.flag("chunk_truncated"), log.flag("removed"), ref);
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeConstant(channel);
        out.writeNumber(offset);
        out.writeNumber(bytes);
        // The bytes that are not stored: nearly always 0.
        out.writeNumber(bytesTotal() - bytesStored);
        if (lines != null) {
            out.writeNumber(lines.first());
            out.writeNumber(lines.count());
        }
    }

    static ToolTaskOutputDelta readStored(ByteReader in) {
        Channel channel = in.readConstant(Channel.class);
        long offset = in.readNumber();
        int bytes = in.readSmallNumber();
        long notStored = in.readNumber();
        LineSpan lines = in.hasMore() ? readLines(in) : null;
        return new ToolTaskOutputDelta(channel, offset, bytes, offset + bytes - notStored, lines);
    }

    /** Lines count from 1, so 0 means that none were counted; a later version that appends a field must write it then. */
    private static @Nullable LineSpan readLines(ByteReader in) {
        long first = in.readNumber();
        int count = in.readSmallNumber();
        return first == 0 ? null : new LineSpan(first, count);
    }
}
