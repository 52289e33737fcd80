package io.penstock.engine.artifact;

import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.artifact.text.Utf8;
import java.io.IOException;

/**
 * Reads the texts of consecutive ranges of one artifact. Each read covers bytes behind its range too, so a thousand short ranges need one
 * or two reads. Stored bytes never change, so the buffer stays valid. Used by one thread at a time.
 */
public final class RangeTexts {

    /** Some hundred lines; small compared with the buffers of a viewer's socket. */
    private static final int AHEAD_BYTES = 64 * 1024;

    /** Longer ranges are read alone: reading ahead would cost more than another read. */
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
     * The text of the characters that end in the range and before the limit. It depends on nothing but the bytes, so consecutive ranges
     * join without loss. An incomplete character at the end is left for the next range.
     *
     * @param limit the offset at which text ends, whatever follows
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
            // Not stored, and no longer in memory.
            return new TextRange("", offset, 0);
        }
        int start = wholeBefore((int) (from - readFrom), (int) (offset - readFrom));
        int end = wholeBefore(start, Math.min(read.length, (int) (to - readFrom)));
        return new TextRange(Utf8.text(read, start, end), readFrom + start, end - start);
    }

    /** The end of the last complete character: the given place, or the start of a character that later bytes may complete. */
    private int wholeBefore(int from, int at) {
        if (at <= from) {
            return from;
        }
        int last = Math.max(from, Utf8.unitAround(read, at - 1, at));
        return Utf8.unfinished(read, last, at) ? last : at;
    }
}
