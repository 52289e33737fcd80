package io.penstock.bench.soak.log;

import io.penstock.bench.soak.SoakFailure;
import java.util.Arrays;

/** The accepted frames of one stream: a checksum for each, or none if its acceptance was not reported. */
final class StreamBook {

    private static final long UNTOLD = -1;

    private final String stream;
    private long[] checksums = new long[64];
    private int count;
    private long writer;
    private boolean wasCut;

    StreamBook(String stream) {
        this.stream = stream;
    }

    int count() {
        return count;
    }

    /** A process reported that this frame was accepted. */
    void accepted(long seq, long byWriter, int checksum) {
        boolean sameWriter = byWriter == writer;
        if (seq < count || sameWriter && seq != count) {
            throw new SoakFailure(stream + ": writer " + byWriter + " learned that seq " + seq
                    + " was accepted, when seq " + count + " was due after writer " + writer);
        }
        // An earlier process may have been killed before it could report its last frames.
        writer = byWriter;
        put((int) seq, Integer.toUnsignedLong(checksum));
    }

    private void put(int seq, long checksum) {
        if (seq >= checksums.length) {
            checksums = Arrays.copyOf(checksums, Math.max(seq + 1, checksums.length * 2));
        }
        Arrays.fill(checksums, count, seq, UNTOLD);
        checksums[seq] = checksum;
        count = seq + 1;
    }

    /** A reader saw this frame. A frame that was seen must stay, reported or not. */
    void seen(long seq, int checksum) {
        long one = Integer.toUnsignedLong(checksum);
        if (seq < count && checksums[(int) seq] != UNTOLD && checksums[(int) seq] != one) {
            throw new SoakFailure(stream + ": the frame at seq " + seq + " is another than the one accepted there");
        }
        if (seq < count) {
            checksums[(int) seq] = one;
        } else {
            put((int) seq, one);
        }
    }

    /** After damage to the journal: the frames cut from it are no longer expected. */
    void cutTo(int frames) {
        count = Math.min(count, frames);
        wasCut = true;
    }

    /** Whether the damage reached even its beginning. */
    boolean mayBeMissing() {
        return wasCut && count == 0;
    }
}
