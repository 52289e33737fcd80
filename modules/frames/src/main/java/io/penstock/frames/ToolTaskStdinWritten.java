package io.penstock.frames;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Input was written to the program.
 *
 * @param bytes the number of bytes
 * @param chunkBase64 the bytes, or null if the task's {@link RecordInput} excludes them
 */
public record ToolTaskStdinWritten(int bytes, @Nullable String chunkBase64, Actor actor) implements TaskFrame {

    public ToolTaskStdinWritten {
        if (bytes < 1 || bytes > Limits.STDIN_BYTES) {
            throw new IllegalArgumentException(
                    "One write to stdin has 1 to " + Limits.STDIN_BYTES + " bytes, not " + bytes);
        }
        if (chunkBase64 != null) {
            int decoded = decoded(chunkBase64);
            if (decoded != bytes) {
                throw new IllegalArgumentException("chunk_b64 holds " + decoded + " bytes, but bytes is " + bytes);
            }
        }
    }

    private static int decoded(String chunkBase64) {
        int most = (Limits.STDIN_BYTES + 2) / 3 * 4;
        if (chunkBase64.length() > most) {
            throw new IllegalArgumentException(
                    "chunk_b64 has at most " + most + " characters, this one has " + chunkBase64.length());
        }
        if (chunkBase64.length() % 4 != 0) {
            throw new IllegalArgumentException(
                    "chunk_b64 is base64 with its padding, a multiple of 4 characters, not " + chunkBase64.length());
        }
        try {
            return Base64.getDecoder().decode(chunkBase64).length;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("chunk_b64 is not base64: " + e.getMessage(), e);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STDIN_WRITTEN;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.textOrNull("chunk_b64", chunkBase64);
        json.number("bytes", bytes);
        json.actor("actor", actor);
    }

    static ToolTaskStdinWritten readJson(JsonFields fields) {
        return new ToolTaskStdinWritten(
                fields.smallNumber("bytes"), fields.textOrNull("chunk_b64"), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(bytes);
        out.writeTextOrNull(chunkBase64);
        actor.writeStored(out);
    }

    static ToolTaskStdinWritten readStored(ByteReader in) {
        return new ToolTaskStdinWritten(in.readSmallNumber(), in.readTextOrNull(), Actor.readStored(in));
    }
}
