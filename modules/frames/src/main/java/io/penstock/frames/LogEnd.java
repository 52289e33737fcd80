package io.penstock.frames;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The final size of a channel, and of its stored part.
 *
 * @param error why bytes are missing; null if none are, or only those beyond the cap
 * @param digest the digest of the stored bytes once sealed; null in frames recorded before this field existed
 */
public record LogEnd(
        LogRef log,
        long bytesTotal,
        long bytesStored,
        @Nullable String error,
        @Nullable String digest) {

    public LogEnd {
        Checks.notNegative(bytesTotal, "bytes_total");
        Checks.notNegative(bytesStored, "bytes_stored");
        error = Checks.textOrNull(error, "error");
        if (digest != null) {
            ArtifactWritten.requireDigest(digest);
        }
        if (bytesStored > bytesTotal) {
            throw new IllegalArgumentException("bytes_stored " + bytesStored + " exceeds bytes_total " + bytesTotal);
        }
    }

    /** For an artifact that is not sealed. */
    public LogEnd(LogRef log, long bytesTotal, long bytesStored, @Nullable String error) {
        this(log, bytesTotal, bytesStored, error, null);
    }

    LogEnd with(@Nullable String digest) {
        return new LogEnd(log, bytesTotal, bytesStored, error, digest);
    }

    public boolean truncated() {
        return bytesStored < bytesTotal;
    }

    /** Writes the member {@code artifacts}, which contains these. */
    static void writeJson(List<LogEnd> logs, JsonWriter json) {
        if (logs.isEmpty()) {
            json.absent("artifacts");
            return;
        }
        json.begin("artifacts");
        json.begin("logs");
        for (LogEnd end : logs) {
            json.begin(end.log.channel().wireName());
            end.log.writeJson(json);
            json.number("bytes_total", end.bytesTotal);
            json.number("bytes_stored", end.bytesStored);
            json.flag("truncated", end.truncated());
            json.textOrNull("error", end.error);
            json.textOrNull("digest", end.digest);
            json.end();
        }
        json.end();
        json.end();
    }

    static List<LogEnd> readJson(JsonFields fields) {
        JsonFields artifacts = fields.inOrNull("artifacts");
        if (artifacts == null) {
            return List.of();
        }
        JsonFields logs = artifacts.in("logs");
        var ends = new ArrayList<LogEnd>();
        for (Channel channel : Channel.values()) {
            JsonFields end = logs.inOrNull(channel.wireName());
            if (end != null) {
                ends.add(new LogEnd(
                        LogRef.readJson(channel, end),
                        end.number("bytes_total"),
                        end.number("bytes_stored"),
                        end.textOrNull("error"),
                        end.textOrNull("digest")));
            }
        }
        return ends;
    }

    /** Without the digests, which were added later and so come at the end of the frame. */
    static void writeStored(List<LogEnd> logs, ByteWriter out) {
        out.writeByte(logs.size());
        for (LogEnd end : logs) {
            out.writeConstant(end.log.channel());
            end.log.writeStored(out);
            out.writeNumber(end.bytesTotal);
            out.writeNumber(end.bytesStored);
            out.writeTextOrNull(end.error);
        }
    }

    static List<LogEnd> readStored(ByteReader in) {
        int count = in.readByte();
        var ends = new ArrayList<LogEnd>(count);
        for (int i = 0; i < count; i++) {
            LogRef log = LogRef.readStored(in.readConstant(Channel.class), in);
            ends.add(new LogEnd(log, in.readNumber(), in.readNumber(), in.readTextOrNull()));
        }
        return ends;
    }

    static List<LogEnd> readDigests(List<LogEnd> logs, ByteReader in) {
        return logs.stream().map(end -> end.with(in.readTextOrNull())).toList();
    }
}
