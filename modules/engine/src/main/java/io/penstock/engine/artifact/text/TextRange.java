package io.penstock.engine.artifact.text;

/** Text of an artifact, with the range of its bytes; the next page begins at {@code offset + length}. */
public record TextRange(String text, long offset, int length) {

    public TextRange {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "A range starts at 0 or later and is 0 or more bytes long, not " + length + " from " + offset);
        }
    }
}
