package io.penstock.sample;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads lines, which end with LF only, of a bounded length. */
final class Lines {

    /** Far more than a prompt needs, and a small part of the heap. */
    static final int LINE_BYTES = 2 * 1024 * 1024;

    private static final int READ_BYTES = 8 * 1024;

    private final InputStream in;
    private final byte[] read = new byte[READ_BYTES];
    private int from;
    private int to;

    Lines(InputStream in) {
        this.in = in;
    }

    /** The next line without its end; null at the end of the input. A line that is too long is skipped, and is an empty array. */
    byte @Nullable [] next() throws IOException {
        var line = new ByteArrayOutputStream();
        boolean tooLong = false;
        while (true) {
            int end = from;
            while (end < to && read[end] != '\n') {
                end++;
            }
            tooLong |= line.size() + end - from > LINE_BYTES;
            if (tooLong) {
                line.reset();
            } else {
                line.write(read, from, end - from);
            }
            if (end < to) {
                from = end + 1;
                return line.toByteArray();
            }
            from = 0;
            to = in.read(read);
            if (to < 0) {
                to = 0;
                return null;
            }
        }
    }
}
