package io.penstock.engine.artifact;

import java.nio.file.Path;

/**
 * A range of an artifact's file, for sending it from there. All its bytes are completely written and never change.
 *
 * @param file may not exist if the length is 0, because an artifact without a byte has no file
 */
public record ByteRange(Path file, long offset, long length) {

    public ByteRange {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "A range starts at 0 or later and is 0 or more bytes long, not " + length + " from " + offset);
        }
    }
}
