package io.penstock.frames;

/** What a consumer is shown of a delta: its text, whole characters only, and where the bytes are. */
public record DeltaText(String chunk, LogRef log) {

    public DeltaText {
        chunk = Checks.utf8(chunk, "chunk", Limits.DELTA_INLINE_BYTES);
    }
}
