package io.penstock.engine.artifact;

import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.artifact.text.Utf8;
import java.io.IOException;

/**
 * The texts of ranges of one artifact, asked for one after the other: what lies behind a range is read along with it, so that
 * a thousand short ranges cost a read or two. Stored bytes never change, so what was read stays true. For one thread at a time.
 */
public final class RangeTexts {

    /** Some hundred lines; and little beside what a viewer's socket holds anyway. */
    private static final int AHEAD_BYTES = 64 * 1024;

    /** Longer ones are read as they are: reading what follows along would cost more than another read. */
    private static final int SHORT_BYTES = 8 * 1024;

    private final Artifact artifact;
    private final boolean live;
    private byte[] read = new byte[0];
    private long readFrom;

    RangeTexts(Artifact artifact, boolean live) {
        this.artifact = artifact;
        this.live = live;
    }

    /**
     * Text of the characters that end in a range, and before a limit: what a consumer who is shown one range after the other sees of this
     * one, the same whoever asks and whenever. Bytes at its end that more may make a character of are left to the next range.
     *
     * @param limit the offset at which text ends, whatever follows it
     */
    public TextRange endingIn(long offset, int length, long limit) throws IOException {
        long there = live ? artifact.liveEnd() : artifact.storedBytes();
        long to = Math.min(Math.min(there, offset + length), limit);
        if (Artifact.checked(offset) >= to) {
            return new TextRange("", offset, 0);
        }
        artifact.checkKept(offset);
        long from = Math.max(artifact.runStart(offset), offset - (Utf8.LONGEST - 1));
        if (from < readFrom || to > readFrom + read.length) {
            long ahead = length > SHORT_BYTES ? to : Math.max(to, Math.min(there, from + AHEAD_BYTES));
            int wanted = (int) (ahead - from);
            read = live ? artifact.readLive(from, wanted) : artifact.read(from, wanted);
            readFrom = from;
        }
        if (offset - readFrom >= read.length) {
            // Not stored, and written too long ago to be in memory.
            return new TextRange("", offset, 0);
        }
        int start = wholeBefore((int) (from - readFrom), (int) (offset - readFrom));
        int end = wholeBefore(start, Math.min(read.length, (int) (to - readFrom)));
        return new TextRange(Utf8.text(read, start, end), readFrom + start, end - start);
    }

    /** Where the characters end that are whole before a place: there, or where one begins that more bytes may make whole. */
    private int wholeBefore(int from, int at) {
        if (at <= from) {
            return from;
        }
        int last = Math.max(from, Utf8.unitAround(read, at - 1, at));
        return Utf8.unfinished(read, last, at) ? last : at;
    }
}
