package io.penstock.engine.artifact.file;

import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The gaps inside an artifact, in order. A small file next to the artifact has them. A gap is written there before the first byte after it
 * can be read, so that no reader takes a hole for bytes, however the process ends.
 */
public record Gaps(List<Gap> list) {

    public static final Gaps NONE = new Gaps(List.of());

    private static final int CHECKED_BYTES = 4 * Long.BYTES;
    private static final int ENTRY_BYTES = CHECKED_BYTES + Integer.BYTES;

    public Gaps {
        list = List.copyOf(list);
    }

    /** Reads the file, which may not exist. A torn entry ends the list: no reader can have seen it or a later one. */
    public static Gaps read(Path file) throws IOException {
        byte[] bytes = new byte[ENTRY_BYTES * Limits.ARTIFACT_GAPS];
        int length;
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            length = ArtifactFiles.read(channel, 0, bytes, bytes.length);
        } catch (NoSuchFileException e) {
            return NONE;
        }
        var gaps = new ArrayList<Gap>();
        ByteBuffer entries = ByteBuffer.wrap(bytes, 0, length);
        while (entries.remaining() >= ENTRY_BYTES) {
            int checksum = checksum(bytes, entries.position());
            var from = new LineMark(entries.getLong(), entries.getLong());
            var to = new LineMark(entries.getLong(), entries.getLong());
            if (entries.getInt() != checksum) {
                break;
            }
            gaps.add(new Gap(from, to));
        }
        return new Gaps(gaps);
    }

    /** Appends a gap to the file, then to the list. */
    public Gaps with(Gap gap, Path file) throws IOException {
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES)
                .putLong(gap.from().offset())
                .putLong(gap.from().newlines())
                .putLong(gap.to().offset())
                .putLong(gap.to().newlines());
        entry.putInt(checksum(entry.array(), 0)).flip();
        try (FileChannel channel = ArtifactFiles.openOrCreate(file)) {
            ArtifactFiles.write(channel, (long) list.size() * ENTRY_BYTES, entry);
        }
        var more = new ArrayList<>(list);
        more.add(gap);
        return new Gaps(more);
    }

    /** The gaps within the recorded bytes: behind a later gap nothing was recorded. */
    public Gaps within(long bytes) {
        return list.isEmpty() || list.getLast().to().offset() <= bytes
                ? this
                : new Gaps(
                        list.stream().filter(gap -> gap.to().offset() <= bytes).toList());
    }

    /** The gap that contains the offset, or the next one behind it; null if there is none. */
    public @Nullable Gap next(long offset) {
        for (Gap gap : list) {
            if (offset < gap.to().offset()) {
                return gap;
            }
        }
        return null;
    }

    /** The first gap that overlaps the range, or null. */
    public @Nullable Gap in(long from, long to) {
        Gap next = next(from);
        return next != null && next.from().offset() < to ? next : null;
    }

    /** The gap that contains the offset, or null. */
    public @Nullable Gap at(long offset) {
        Gap next = next(offset);
        return next != null && next.holds(offset) ? next : null;
    }

    /** The mark from which counting line feeds can continue: for a mark inside a gap, the gap's start. */
    public LineMark countable(LineMark mark) {
        Gap gap = at(mark.offset());
        return gap == null ? mark : gap.from();
    }

    /** The end of the last gap before the offset, or 0. */
    public long endBefore(long offset) {
        long end = 0;
        for (Gap gap : list) {
            if (gap.to().offset() <= offset) {
                end = gap.to().offset();
            }
        }
        return end;
    }

    /** The number of missing bytes before the offset. */
    public long missingBefore(long offset) {
        long missing = 0;
        for (Gap gap : list) {
            missing +=
                    Math.max(0, Math.min(offset, gap.to().offset()) - gap.from().offset());
        }
        return missing;
    }

    private static int checksum(byte[] bytes, int at) {
        var crc = new CRC32C();
        crc.update(bytes, at, CHECKED_BYTES);
        return (int) crc.getValue();
    }
}
