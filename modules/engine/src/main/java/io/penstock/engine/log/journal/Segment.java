package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.CLOSED;
import static io.penstock.engine.log.journal.RecordFormat.HEAD_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.INT;
import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;
import static io.penstock.engine.log.journal.RecordFormat.SIZE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One mapped segment file. It may be unmapped while other threads read: thanks to the shared arena such an access
 * throws an IllegalStateException and never crashes.
 */
final class Segment {
    final Path file;
    final long base;
    final long end;
    private final Arena arena;
    private final MemorySegment bytes;
    private boolean unmapped;
    private volatile long follows;
    private volatile long closedAt = Long.MAX_VALUE;

    private Segment(Path file, long base, Arena arena, MemorySegment bytes) {
        this.file = file;
        this.base = base;
        this.end = base + bytes.byteSize();
        this.arena = arena;
        this.bytes = bytes;
        this.follows = SegmentHeader.readFollows(bytes);
    }

    static Segment map(Path file, long base, int segmentBytes) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Segment(file, base, arena, channel.map(MapMode.READ_WRITE, 0, segmentBytes, arena));
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** Takes the page faults of a new segment, so that appenders do not. */
    void touch() {
        for (long page = PAGE_BYTES; page < bytes.byteSize(); page += PAGE_BYTES) {
            bytes.set(ValueLayout.JAVA_BYTE, page, (byte) 0);
        }
    }

    long firstPosition() {
        return base + PAGE_BYTES;
    }

    /** There are no records between this position, where the predecessor ended, and the first record here. */
    long follows() {
        return follows;
    }

    long closedAt() {
        return closedAt;
    }

    void follow(long predecessorEnd) {
        SegmentHeader.writeFollows(bytes, predecessorEnd);
        follows = predecessorEnd;
    }

    /** Marks that no record comes at or after this position. */
    void close(long position) {
        if (position < end) {
            SIZE.setRelease(bytes, position - base, CLOSED);
        }
        closedAt = position;
    }

    void write(long position, byte[] payload, int offset, int length, RecordChecksum checksum) {
        long at = position - base;
        MemorySegment.copy(payload, offset, bytes, ValueLayout.JAVA_BYTE, at + HEAD_BYTES, length);
        bytes.set(INT, at + 4, checksum.of(position, payload, offset, length));
        SIZE.setRelease(bytes, at, HEAD_BYTES + length);
    }

    /** The size word at a position; at the very end of a full segment it is CLOSED without being stored. */
    int sizeAt(long position) {
        return position >= end ? CLOSED : RecordFormat.sizeAt(bytes, position - base);
    }

    int crcAt(long position) {
        return bytes.get(INT, position - base + 4);
    }

    void copyPayload(long position, byte[] into, int length) {
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, position - base + HEAD_BYTES, into, 0, length);
    }

    /** Writes everything below a position to the disk; an unmapped segment has nothing left to keep. */
    synchronized void force(long from, long to) throws IOException {
        if (unmapped) {
            return;
        }
        // The first force includes the header page, the last one the closing mark.
        long first = from <= firstPosition() ? 0 : from - base;
        long last = Math.min(bytes.byteSize(), Math.min(to, closedAt) - base + HEAD_BYTES);
        if (last > first) {
            try {
                bytes.asSlice(first, last - first).force();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    synchronized void unmap() {
        if (!unmapped) {
            unmapped = true;
            arena.close();
        }
    }
}
