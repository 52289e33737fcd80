package io.penstock.engine.screen.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of a character or sequence that is not over. */
final class PendingBytes {

    /** Enough for all that has an effect; a title is cut there. */
    static final int MOST = 4096;

    private byte[] bytes = new byte[64];
    private int length;

    int length() {
        return length;
    }

    /** Whether there may have been more. */
    boolean isFull() {
        return length == MOST;
    }

    void keep(byte next) {
        if (length == bytes.length) {
            if (isFull()) {
                return;
            }
            bytes = Arrays.copyOf(bytes, Math.min(MOST, 4 * length));
        }
        bytes[length++] = next;
    }

    /** What is behind this place is as if it had not been. */
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
