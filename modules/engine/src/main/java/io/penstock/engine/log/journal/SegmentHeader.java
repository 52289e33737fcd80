package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first page of a segment: the journal's id, the segment's start and length, stored twice so that a flipped bit
 * does no harm, and the position that it follows, stored when it is taken into use.
 */
record SegmentHeader(UUID journalId, long base, int segmentBytes) {
    static final int VERSION = 1;

    private static final long MAGIC = 0x4c4e4a4b434f5453L; // "STOCKJNL" as it reads in the file
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    // Magic, version and checksum keep their places in all versions, to distinguish a newer header from a damaged one.
    private static final int VERSION_AT = 8;
    private static final int ID_AT = 16;
    private static final int BASE_AT = 32;
    private static final int SIZE_AT = 40;
    private static final int CRC_AT = 60;
    private static final int COPY_AT = PAGE_BYTES / 2;
    private static final int FOLLOWS_AT = 1024;
    private static final int FOLLOWS_CRC_AT = FOLLOWS_AT + 8;

    void writeTo(MemorySegment page) {
        writeTo(page, 0);
        writeTo(page, COPY_AT);
    }

    private void writeTo(MemorySegment page, int at) {
        page.set(LONG, at, MAGIC);
        page.set(SHORT, at + VERSION_AT, (short) VERSION);
        page.set(LONG, at + ID_AT, journalId.getMostSignificantBits());
        page.set(LONG, at + ID_AT + 8, journalId.getLeastSignificantBits());
        page.set(LONG, at + BASE_AT, base);
        page.set(INT, at + SIZE_AT, segmentBytes);
        page.set(INT, at + CRC_AT, crc(page, at, CRC_AT));
    }

    /** The header of a page, or null if both copies are damaged. */
    static @Nullable SegmentHeader read(MemorySegment page, String name) {
        SegmentHeader first = readCopy(page, 0, name);
        return first != null ? first : readCopy(page, COPY_AT, name);
    }

    private static @Nullable SegmentHeader readCopy(MemorySegment page, int at, String name) {
        if (page.byteSize() < at + CRC_AT + 4
                || page.get(LONG, at) != MAGIC
                || page.get(INT, at + CRC_AT) != crc(page, at, CRC_AT)) {
            return null;
        }
        int version = Short.toUnsignedInt(page.get(SHORT, at + VERSION_AT));
        if (version != VERSION) {
            throw new JournalUnavailable(
                    JournalUnavailable.Reason.OTHER_VERSION,
                    "The file " + name + " belongs to a journal of version " + version + ", this program reads version "
                            + VERSION + ": start the program that wrote it, or name another data directory.");
        }
        UUID id = new UUID(page.get(LONG, at + ID_AT), page.get(LONG, at + ID_AT + 8));
        return new SegmentHeader(id, page.get(LONG, at + BASE_AT), page.get(INT, at + SIZE_AT));
    }

    static void writeFollows(MemorySegment page, long position) {
        page.set(LONG, FOLLOWS_AT, position);
        page.set(INT, FOLLOWS_CRC_AT, crc(page, FOLLOWS_AT, 8));
    }

    /** The position at which the predecessor ended, or -1 if it was not written or is damaged. */
    static long readFollows(MemorySegment page) {
        boolean whole =
                page.byteSize() >= FOLLOWS_CRC_AT + 4 && page.get(INT, FOLLOWS_CRC_AT) == crc(page, FOLLOWS_AT, 8);
        return whole ? page.get(LONG, FOLLOWS_AT) : -1;
    }

    private static int crc(MemorySegment page, int from, int bytes) {
        CRC32C crc = new CRC32C();
        crc.update(page.asSlice(from, bytes).toArray(ValueLayout.JAVA_BYTE));
        return (int) crc.getValue();
    }
}
