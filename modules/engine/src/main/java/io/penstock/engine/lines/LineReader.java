package io.penstock.engine.lines;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts bytes into lines at LF, and nowhere else: JSON may contain other separators. Leaves out empty lines. Nothing of a line over the limit is
 * kept; it is reported once, and skipped.
 */
public final class LineReader {

    /** Receives the lines. */
    public interface Lines {

        /** @param utf8 the line without its LF */
        void line(byte[] utf8);

        void tooLong();
    }

    private static final byte[] EMPTY = {};

    private final Lines lines;
    private int maxBytes;
    private byte[] begun = EMPTY;
    private int size;
    private boolean skipping;

    public LineReader(int maxBytes, Lines lines) {
        this.maxBytes = maxBytes;
        this.lines = lines;
    }

    /** Sets the limit of the lines that begin from now on. */
    public void limit(int bytes) {
        maxBytes = bytes;
    }

    public void read(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int end = lineEnd(bytes);
            add(bytes, (end < 0 ? bytes.limit() : end) - bytes.position());
            if (end >= 0) {
                bytes.position(end + 1);
                end();
            }
        }
    }

    private static int lineEnd(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                return at;
            }
        }
        return -1;
    }

    private void add(ByteBuffer bytes, int length) {
        if (!skipping && size + length > maxBytes) {
            skipping = true;
            begun = EMPTY;
            size = 0;
            lines.tooLong();
        }
        if (skipping) {
            bytes.position(bytes.position() + length);
            return;
        }
        if (size + length > begun.length) {
            begun = Arrays.copyOf(begun, Math.max(size + length, Math.min(2 * begun.length, maxBytes)));
        }
        bytes.get(begun, size, length);
        size += length;
    }

    /** Ends the line that has begun: at the end of the input, the last line may have no LF. */
    public void end() {
        byte[] line = begun.length == size ? begun : Arrays.copyOf(begun, size);
        begun = EMPTY;
        size = 0;
        skipping = false;
        if (line.length > 0) {
            lines.line(line);
        }
    }
}
