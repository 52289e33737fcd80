package io.penstock.engine.screen.terminal;

/**
 * What need not be emulated of a long text: lines that will have left the screen and what is kept above it before the text is
 * over. Text has no sequences but those that choose how letters look or erase within their line, and no controls but those between
 * words and lines; so each of its line feeds moves the screen on by a line at least, and nothing else of the terminal changes but the
 * pen.
 */
final class TextFlood {

    /** Less than this is emulated in some microseconds. */
    static final int WORTH_BYTES = 16 * 1024;

    private static final byte ESC = 0x1b;

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

    private TextFlood() {}

    /** Where the text ends that begins here. */
    static int end(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (at + 8 <= to
                    && TEXT[bytes[at] & 0xff]
                            & TEXT[bytes[at + 1] & 0xff]
                            & TEXT[bytes[at + 2] & 0xff]
                            & TEXT[bytes[at + 3] & 0xff]
                            & TEXT[bytes[at + 4] & 0xff]
                            & TEXT[bytes[at + 5] & 0xff]
                            & TEXT[bytes[at + 6] & 0xff]
                            & TEXT[bytes[at + 7] & 0xff]) {
                at += 8;
            } else if (TEXT[bytes[at] & 0xff]) {
                at++;
            } else {
                int end = bytes[at] == ESC ? sequenceEnd(bytes, at, to) : at;
                if (end == at) {
                    return at;
                }
                at = end;
            }
        }
        return at;
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
     * Where so many last lines of a text begin, with a whole screen of lines before them, so that the cursor is in the first
     * cell of the last row there whatever was before; or where the text begins, if there are not as many.
     *
     * @param kept lines of the screen and above it
     */
    static int lastLines(byte[] bytes, int from, int end, int kept, int rows) {
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

    /** Reads of a text nothing but what changes the pen, from where it was plain last. */
    static void readPen(byte[] bytes, int from, int end, Parser parser) {
        for (int at = plainFrom(bytes, from, end); at < end; at++) {
            if (bytes[at] == ESC) {
                int next = sequenceEnd(bytes, at, end);
                if (bytes[next - 1] == 'm') {
                    parser.read(bytes, at, next);
                }
                at = next - 1;
            }
        }
    }

    /** The last sequence that makes it plain before all else that it says; else where the text begins. */
    private static int plainFrom(byte[] bytes, int from, int end) {
        for (int at = end - 3; at >= from; at--) {
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
