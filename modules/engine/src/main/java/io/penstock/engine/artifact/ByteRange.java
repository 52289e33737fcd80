package io.penstock.engine.artifact;

import java.nio.file.Path;

/**
 * Bytes of an artifact as a file server wants them. All of them are completely written and stay as they are.
 *
 * @param file not to be opened when the length is 0: an artifact without a byte has no file
 */
public record ByteRange(Path file, long offset, long length) {

    public ByteRange {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "A range starts at 0 or later and is 0 or more bytes long, not " + length + " from " + offset);
        }
    }
}
