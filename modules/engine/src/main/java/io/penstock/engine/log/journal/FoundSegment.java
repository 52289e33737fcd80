package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A segment file found at opening, mapped read-only; it may be shorter than its header says. */
record FoundSegment(
        Path file, long base, long end, @Nullable SegmentHeader header, long follows, MemorySegment bytes) {
    static FoundSegment map(Path file, Arena arena, int defaultBytes) throws IOException {
        long base = SegmentFiles.baseOf(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            SegmentHeader header = SegmentHeader.read(bytes, file.toString());
            if (header == null || header.base() != base) {
                return new FoundSegment(file, base, base + Math.max(defaultBytes, bytes.byteSize()), null, -1, bytes);
            }
            int size = header.segmentBytes();
            return new FoundSegment(
                    file,
                    base,
                    base + size,
                    header,
                    SegmentHeader.readFollows(bytes),
                    bytes.byteSize() > size ? bytes.asSlice(0, size) : bytes);
        }
    }

    long firstPosition() {
        return base + PAGE_BYTES;
    }

    boolean truncated() {
        return bytes.byteSize() < end - base;
    }

    /** Whether it holds no record: it was prepared ahead, or a crash left it without content. */
    boolean blank() {
        long length = SegmentScan.lengthWithoutTrailingZeros(bytes);
        return header == null ? length == 0 : length <= PAGE_BYTES;
    }

    void extend(SegmentFiles files) throws IOException {
        if (truncated()) {
            files.zero(file, bytes.byteSize(), end - base);
        }
    }
}
