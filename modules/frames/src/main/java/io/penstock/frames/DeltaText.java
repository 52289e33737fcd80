package io.penstock.frames;

import java.nio.charset.StandardCharsets;

/**
 * A delta as consumers see it: its text, whole characters only, and the location of its bytes.
 *
 * @param chunkBytes the number of the channel's bytes in the chunk, of which up to three come before the delta
 * @param truncated whether some bytes of the delta are neither in this chunk nor in the next
 * @param removed whether the bytes are no longer stored
 */
public record DeltaText(String chunk, int chunkBytes, boolean truncated, boolean removed, LogRef log) {

    public DeltaText {
        chunk = Checks.utf8(chunk, "chunk", Limits.CHUNK_BYTES);
        Checks.notNegative(chunkBytes, "chunk_bytes");
        if (removed && !chunk.isEmpty()) {
            throw new IllegalArgumentException(
                    "An output that was removed has no text, but chunk has " + chunk.length() + " characters");
        }
    }

    /** The text of a delta without missing bytes. */
    public DeltaText(String chunk, LogRef log) {
        this(chunk, chunk.getBytes(StandardCharsets.UTF_8).length, false, false, log);
    }
}
