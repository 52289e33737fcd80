package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.HEAD_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.aligned;

/**
 * Reads records in order, each checked, into one buffer of its own; for one thread at a time. It never waits: where it
 * meets the tail, it says so and can be asked again.
 */
public final class JournalReader {
    private static final int FIRST_BUFFER_BYTES = 4096;

    private final Journal journal;
    private final RecordChecksum checksum = new RecordChecksum();
    private Segment segment;
    private long at;
    private long position = -1;
    private byte[] payload = new byte[FIRST_BUFFER_BYTES];
    private int length;

    JournalReader(Journal journal, long from) {
        this.journal = journal;
        this.at = from;
        this.segment = place();
    }

    /** Goes to the next record; false where everything that was written has been read. */
    public boolean next() {
        journal.requireNotClosed();
        while (true) {
            try {
                int size = segment.sizeAt(at);
                if (size == RecordFormat.CLOSED) {
                    Segment following = journal.segments().after(segment);
                    if (following == null) {
                        return false;
                    }
                    segment = following;
                    at = following.firstPosition();
                } else if (size == RecordFormat.END) {
                    return false;
                } else {
                    take(size);
                    return true;
                }
            } catch (IllegalStateException e) {
                // The segment was released. That is well if this reader was done with it.
                segment = place();
            }
        }
    }

    private void take(int size) {
        if (size < HEAD_BYTES || size > segment.end - at) {
            throw journal.noRecord(at);
        }
        int count = size - HEAD_BYTES;
        if (payload.length < count) {
            payload = new byte[Math.max(count, 2 * payload.length)];
        }
        segment.copyPayload(at, payload, count);
        if (segment.crcAt(at) != checksum.of(at, payload, 0, count)) {
            throw journal.noRecord(at);
        }
        position = at;
        length = count;
        at += aligned(size);
    }

    private Segment place() {
        journal.requireNotClosed();
        Segment found = journal.segments().holding(at);
        if (found == null) {
            throw new JournalUnavailable(
                    JournalUnavailable.Reason.RELEASED,
                    "The journal's records from position " + at + " have been released: read them from the database.");
        }
        at = Math.max(at, found.firstPosition());
        return found;
    }

    /** Of the record that the last {@link #next} went to. */
    public long position() {
        return position;
    }

    /** Where reading goes on: releasing up to here says that all records read so far are kept elsewhere. */
    public long nextPosition() {
        return at;
    }

    /** The payload is the first {@link #length} bytes; overwritten by the next call of {@link #next}. */
    public byte[] buffer() {
        return payload;
    }

    public int length() {
        return length;
    }
}
