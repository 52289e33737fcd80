package io.penstock.terminal.parser;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of an incomplete character or sequence. */
final class PendingBytes {

    /** Enough for every sequence with an effect; a title is cut there. */
    static final int MAX_BYTES = 4096;

    private byte[] bytes = new byte[64];
    private int length;

    int length() {
        return length;
    }

    /** Whether bytes may have been dropped. */
    boolean isFull() {
        return length == MAX_BYTES;
    }

    void append(byte next) {
        if (length == bytes.length) {
            if (isFull()) {
                return;
            }
            bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, 4 * length));
        }
        bytes[length++] = next;
    }

    /** Drops the bytes from this index on. */
    void cut(int at) {
        length = at;
    }

    String text(int from) {
        return new String(bytes, from, Math.max(0, length - from), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }
}
