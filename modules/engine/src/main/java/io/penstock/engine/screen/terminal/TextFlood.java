package io.penstock.engine.screen.terminal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What need not be emulated of a long text: lines that will have left the screen and what is kept above it before the text is
 * over. Text has no sequences but those that choose how letters look or erase within their line, and no controls but those between
 * words and lines; so each of its line feeds moves the screen on by a line at least, and nothing else of the terminal changes but the
 * pen.
 *
 * @param end where the text ends
 * @param lastSequence where its last sequence begins, or -1 if it has none
 */
record TextFlood(int end, int lastSequence) {

    /** Less than this is emulated in some microseconds. */
    static final int WORTH_BYTES = 16 * 1024;

    private static final byte ESC = 0x1b;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EVERY_BYTE = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** Bytes of text. Not the first of C1 controls, which some letters share. */
    private static final boolean[] TEXT = new boolean[256];

    /** What may stand between the beginning and the end of a sequence of text. */
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

    /** The text that begins here. */
    static TextFlood at(byte[] bytes, int from, int to) {
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

    /** Whether all eight are from a space to a tilde, of which most text is made. */
    private static boolean isPlain(long bytes) {
        long fromSpace = bytes + (0x80 - ' ') * EVERY_BYTE;
        long fromDelete = bytes + (0x80 - 0x7f) * EVERY_BYTE;
        // Where no byte has its highest bit, no sum carries into the next one.
        return ((bytes | ~fromSpace | fromDelete) & HIGH_BITS) == 0;
    }

    /** Behind the sequence that begins here; here, if it is none of text, or not all of it is there. */
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
     * Where so many last lines of it begin, with a whole screen of lines before them, so that the cursor is in the first
     * cell of the last row there whatever was before; or where it begins, if there are not as many.
     *
     * @param kept lines of the screen and above it
     */
    int lastLines(byte[] bytes, int from, int kept, int rows) {
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

    /** Reads of its beginning nothing but what changes the pen, from where it was plain last. */
    void readPen(byte[] bytes, int from, int to, Parser parser) {
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

    /** The last sequence that makes it plain before all else that it says; else where the text begins. */
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
