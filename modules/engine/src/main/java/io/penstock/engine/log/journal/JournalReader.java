package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.HEAD_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.aligned;

/**
 * Reads and checks records in order into a buffer of its own; for one thread at a time. It never waits: at the tail it
 * returns false and can be called again.
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
        this.segment = locate();
    }

    /** Advances to the next record; false if everything written has been read. */
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
                    readPayload(size);
                    return true;
                }
            } catch (IllegalStateException e) {
                // The segment was released, which is fine if this reader had finished it.
                segment = locate();
            }
        }
    }

    private void readPayload(int size) {
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

    private Segment locate() {
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

    /** The position of the record read by the last {@link #next}. */
    public long position() {
        return position;
    }

    /** The position of the next record: after releasing up to here, only unread records remain. */
    public long nextPosition() {
        return at;
    }

    /** The payload is the first {@link #length} bytes; the next call of {@link #next} overwrites it. */
    public byte[] buffer() {
        return payload;
    }

    public int length() {
        return length;
    }
}
