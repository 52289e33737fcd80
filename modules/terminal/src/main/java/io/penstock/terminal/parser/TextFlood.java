package io.penstock.terminal.parser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A long text, of which the lines that leave both screen and scrollback before its end need not be emulated. The only sequences in
 * text are those that set a style or erase within their line, and its only controls are tab, carriage return and line feed. So each
 * line feed advances the screen by at least a line, and nothing else of the terminal changes except the pen.
 *
 * @param end where the text ends
 * @param lastSequence where its last sequence begins, or -1 if it has none
 */
public record TextFlood(int end, int lastSequence) {

    /** Emulating less than this takes some microseconds. */
    public static final int MIN_BYTES = 16 * 1024;

    /** Skipped text is scanned eight bytes at a time. */
    public static final int BYTES_PER_CELL = 8;

    private static final byte ESC = 0x1b;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EVERY_BYTE = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** Bytes of text. Excludes 0xc2, the first byte of C1 controls, although some letters share it. */
    private static final boolean[] TEXT = new boolean[256];

    /** Bytes allowed between the start and the final byte of a sequence in text. */
    private static final boolean[] PARAMETER = new boolean[256];

    static {
        for (int value = 0x20; value < 0x100; value++) {
            TEXT[value] = value != 0x7f && value != 0xc2;
        }
        TEXT['\t'] = true;
        TEXT['\r'] = true;
        TEXT['\n'] = true;
        for (int value = '0'; value <= ';'; value++) {
            PARAMETER[value] = true;
        }
    }

    /** The text that starts here. */
    public static TextFlood at(byte[] bytes, int from, int to) {
        int at = from;
        int lastSequence = -1;
        while (at < to) {
            if (at + Long.BYTES <= to && isText(bytes, at)) {
                at += Long.BYTES;
            } else if (TEXT[bytes[at] & 0xff]) {
                at++;
            } else {
                int end = bytes[at] == ESC ? sequenceEnd(bytes, at, to) : at;
                if (end == at) {
                    break;
                }
                lastSequence = at;
                at = end;
            }
        }
        return new TextFlood(at, lastSequence);
    }

    private static boolean isText(byte[] bytes, int at) {
        return isPlain((long) LONGS.get(bytes, at))
                || TEXT[bytes[at] & 0xff]
                        & TEXT[bytes[at + 1] & 0xff]
                        & TEXT[bytes[at + 2] & 0xff]
                        & TEXT[bytes[at + 3] & 0xff]
                        & TEXT[bytes[at + 4] & 0xff]
                        & TEXT[bytes[at + 5] & 0xff]
                        & TEXT[bytes[at + 6] & 0xff]
                        & TEXT[bytes[at + 7] & 0xff];
    }

    /** Whether all eight bytes are between space and tilde, as in most text. */
    private static boolean isPlain(long bytes) {
        long fromSpace = bytes + (0x80 - ' ') * EVERY_BYTE;
        long fromDelete = bytes + (0x80 - 0x7f) * EVERY_BYTE;
        // Where no byte has its highest bit, no sum carries into the next one.
        return ((bytes | ~fromSpace | fromDelete) & HIGH_BITS) == 0;
    }

    /** The end of the sequence that starts here; {@code from} if it is not allowed in text or incomplete. */
    private static int sequenceEnd(byte[] bytes, int from, int to) {
        int at = from + 1;
        if (at >= to || bytes[at] != '[') {
            return from;
        }
        at++;
        while (at < to && PARAMETER[bytes[at] & 0xff]) {
            at++;
        }
        return at < to && (bytes[at] == 'm' || bytes[at] == 'K') ? at + 1 : from;
    }

    /**
     * The start of its last {@code kept} lines, with a whole screen of lines before them, so that the cursor is in the first cell of
     * the last row there whatever was before; {@code from} if there are fewer lines.
     *
     * @param kept lines of the screen and above it
     */
    public int lastLines(byte[] bytes, int from, int kept, int rows) {
        int at = end;
        for (int lines = 0; at > from; at--) {
            if (bytes[at - 1] == '\n' && lines++ >= kept && at - 2 >= from && bytes[at - 2] == '\r') {
                return hasLines(bytes, from, at, rows) ? at : from;
            }
        }
        return from;
    }

    private static boolean hasLines(byte[] bytes, int from, int end, int wanted) {
        int lines = 0;
        for (int at = from; at < end && lines < wanted; at++) {
            if (bytes[at] == '\n') {
                lines++;
            }
        }
        return lines == wanted;
    }

    /** Reads only the sequences that change the pen, starting where the pen was last plain. */
    public void readPen(byte[] bytes, int from, int to, Parser parser) {
        if (lastSequence < from) {
            return;
        }
        for (int at = plainFrom(bytes, from, to); at < to; at++) {
            if (bytes[at] == ESC) {
                int next = sequenceEnd(bytes, at, to);
                if (bytes[next - 1] == 'm') {
                    parser.read(bytes, at, next);
                }
                at = next - 1;
            }
        }
    }

    /** The last sequence whose first parameter makes the pen plain; {@code from} if there is none. */
    private int plainFrom(byte[] bytes, int from, int to) {
        for (int at = Math.min(to - 3, lastSequence); at >= from; at--) {
            if (bytes[at] == ESC) {
                int first = at + 2;
                boolean plain = bytes[first] == 'm'
                        || bytes[first] == '0'
                                && (bytes[first + 1] == 'm'
                                        || bytes[first + 1] == ';' && bytes[sequenceEnd(bytes, at, end) - 1] == 'm');
                if (plain) {
                    return at;
                }
            }
        }
        return from;
    }
}
