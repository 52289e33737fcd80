package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.HEAD_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.INT;
import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.aligned;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** How far the whole records of one segment file reach, determined by reading only. */
record SegmentScan(long start, long end, Ending ending, long lastByte) {
    enum Ending {
        /** Zeros: nothing had been written there, or an append was cut short before its size was stored. */
        OPEN,
        /** The mark that the records continue in the next segment. */
        CLOSED,
        /** Bytes that are no whole record. */
        DAMAGED
    }

    boolean empty() {
        return start == end;
    }

    /** The bytes from the last whole record to the last non-zero byte. */
    long leftover() {
        return ending == Ending.CLOSED ? 0 : Math.max(0, lastByte - end);
    }

    /** Reads from a position, which must be the start of a record, and checks every record. */
    static SegmentScan of(MemorySegment bytes, long base, long from) {
        RecordChecksum checksum = new RecordChecksum();
        byte[] payload = new byte[0];
        long at = from - base;
        Ending ending = Ending.OPEN;
        while (at + HEAD_BYTES <= bytes.byteSize()) {
            int size = bytes.get(INT, at);
            if (size == RecordFormat.END || size == RecordFormat.CLOSED) {
                ending = size == RecordFormat.END ? Ending.OPEN : Ending.CLOSED;
                break;
            }
            if (size < HEAD_BYTES || size > bytes.byteSize() - at) {
                ending = Ending.DAMAGED;
                break;
            }
            int length = size - HEAD_BYTES;
            if (payload.length < length) {
                payload = new byte[Math.max(length, 2 * payload.length)];
            }
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at + HEAD_BYTES, payload, 0, length);
            if (bytes.get(INT, at + 4) != checksum.of(base + at, payload, 0, length)) {
                ending = Ending.DAMAGED;
                break;
            }
            at += aligned(size);
        }
        return new SegmentScan(from, base + at, ending, base + lengthWithoutTrailingZeros(bytes));
    }

    /**
     * The first record position at or above the given one, found by following the sizes alone from the first record.
     */
    static long walk(MemorySegment bytes, long base, long position) {
        long at = PAGE_BYTES;
        while (base + at < position && at + HEAD_BYTES <= bytes.byteSize()) {
            int size = bytes.get(INT, at);
            if (size < HEAD_BYTES || size > bytes.byteSize() - at) {
                break;
            }
            at += aligned(size);
        }
        return base + at;
    }

    static long lengthWithoutTrailingZeros(MemorySegment bytes) {
        long length = bytes.byteSize();
        while (length % 8 != 0 && bytes.get(ValueLayout.JAVA_BYTE, length - 1) == 0) {
            length--;
        }
        if (length % 8 == 0) {
            while (length >= 8 && bytes.get(RecordFormat.LONG, length - 8) == 0) {
                length -= 8;
            }
        }
        while (length > 0 && bytes.get(ValueLayout.JAVA_BYTE, length - 1) == 0) {
            length--;
        }
        return length;
    }
}
