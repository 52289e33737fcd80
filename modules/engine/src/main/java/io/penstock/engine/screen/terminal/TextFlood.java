package io.penstock.engine.screen.terminal;

/**
 * What need not be emulated of a long text: lines that will have left the screen and what is kept above it before the text is
 * over. Text has no sequences and no controls but those between words and lines, so each of its line feeds moves the screen on
 * by a line at least, and nothing else of the terminal changes.
 */
final class TextFlood {

    /** Less than this is emulated in some microseconds. */
    static final int WORTH_BYTES = 16 * 1024;

    /** Bytes of text. Not the first of C1 controls, which some letters share. */
    private static final boolean[] TEXT = new boolean[256];

    static {
        for (int value = 0x20; value < 0x100; value++) {
            TEXT[value] = value != 0x7f && value != 0xc2;
        }
        TEXT['\t'] = true;
        TEXT['\r'] = true;
        TEXT['\n'] = true;
    }

    private TextFlood() {}

    /** Where the text ends that begins here. */
    static int end(byte[] bytes, int from, int to) {
        int at = from;
        while (at + 8 <= to
                && TEXT[bytes[at] & 0xff]
                        & TEXT[bytes[at + 1] & 0xff]
                        & TEXT[bytes[at + 2] & 0xff]
                        & TEXT[bytes[at + 3] & 0xff]
                        & TEXT[bytes[at + 4] & 0xff]
                        & TEXT[bytes[at + 5] & 0xff]
                        & TEXT[bytes[at + 6] & 0xff]
                        & TEXT[bytes[at + 7] & 0xff]) {
            at += 8;
        }
        while (at < to && TEXT[bytes[at] & 0xff]) {
            at++;
        }
        return at;
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
}
