package io.penstock.engine.artifact;

import java.io.IOException;

/**
 * The texts of ranges of one artifact, asked for one after the other: what lies behind a range is read along with it, so that
 * a thousand short ranges cost a read or two. Stored bytes never change, so what was read stays true. For one thread at a time.
 */
public final class RangeTexts {

    /** Some hundred lines; and little beside what a viewer's socket holds anyway. */
    private static final int AHEAD_BYTES = 64 * 1024;

    /** Of longer ones only the beginning is shown, and reading them along would cost more than another read. */
    private static final int SHORT_BYTES = 8 * 1024;

    private final Artifact artifact;
    private byte[] read = new byte[0];
    private long readFrom;

    RangeTexts(Artifact artifact) {
        this.artifact = artifact;
    }

    /**
     * Text of the characters that end in a range: what a consumer who is shown one range after the other sees of this one, the
     * same whoever asks and whenever. Bytes at its end that more may make a character of are left to the next range.
     */
    public TextRange endingIn(long offset, int length, int maxBytes) throws IOException {
        long stored = artifact.storedBytes();
        // Beyond what is shown, only as much as decides where the last character of it ends.
        long to = Math.min(Math.min(stored, offset + length), offset + maxBytes + 2L * Utf8.LONGEST);
        if (Artifact.checked(offset) >= to) {
            return new TextRange("", offset, 0);
        }
        long from = Math.max(0, offset - (Utf8.LONGEST - 1));
        if (from < readFrom || to > readFrom + read.length) {
            long ahead = length > SHORT_BYTES ? to : Math.max(to, Math.min(stored, from + AHEAD_BYTES));
            read = artifact.read(from, (int) (ahead - from));
            readFrom = from;
        }
        int first = (int) (from - readFrom);
        // All that is there up to the range's end: one that ends in the middle of a character is not looked beyond.
        int all = Math.min(read.length, (int) (to - readFrom));
        int start = Math.max(first, Utf8.unitAround(read, (int) (offset - readFrom), all));
        int last = Utf8.unitAround(read, all - 1, all);
        int end = Utf8.unfinished(read, last, all) ? last : all;
        if (end - start > maxBytes) {
            end = Utf8.unitAround(read, start + maxBytes, all);
        }
        return new TextRange(Utf8.text(read, start, Math.max(start, end)), readFrom + start, Math.max(0, end - start));
    }
}
