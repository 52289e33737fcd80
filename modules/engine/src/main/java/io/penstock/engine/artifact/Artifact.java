package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.artifact.text.Utf8;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An artifact as its readers see it, growing or sealed. Any thread may read; an artifact is not closed. A read of an artifact that was
 * deleted meanwhile fails with {@code ARTIFACT_NOT_FOUND}.
 */
public final class Artifact {

    private final String id;
    private final ArtifactFiles files;
    private final ArtifactContent content;
    private final OpenFileCache openFiles;
    private final UnstoredBytes unstored;

    Artifact(String id, ArtifactFiles files, ArtifactContent content, OpenFileCache openFiles, UnstoredBytes unstored) {
        this.id = id;
        this.files = files;
        this.content = content;
        this.openFiles = openFiles;
        this.unstored = unstored;
    }

    public String id() {
        return id;
    }

    /** The path below the data directory, as in frames. */
    public String path() {
        return files.relativePath(id);
    }

    /** The file on this machine; it does not exist before the first byte. */
    public Path file() {
        return files.bytes(id);
    }

    /** The number of bytes that are completely written; it never decreases. */
    public long storedBytes() {
        return content.storedBytes();
    }

    /** The seal; null while the artifact grows, and if the server died before the artifact was sealed. */
    public @Nullable Sealed sealed() {
        return content.sealed();
    }

    /** The offset of the first byte that is still stored. It increases while an artifact grows that keeps its tail. */
    public long firstByte() {
        return Math.min(content.kept().offset(), storedBytes());
    }

    /** Whether bytes that can be read now may be removed at any moment. */
    public boolean losesBytes() {
        return content instanceof GrowingArtifact growing && growing.keepsTail() && growing.sealed() == null;
    }

    /** Fails if this byte was removed. Callers repeat this check after a read, because removed bytes read as zeros. */
    public void checkKept(long offset) {
        if (offset < firstByte()) {
            throw BytesGone.before(id, content.kept());
        }
    }

    /** Fails if a byte of the range was removed or never stored. A gap inside an artifact never changes. */
    public void checkWhole(long offset, long length) {
        checkKept(offset);
        Gap gap = length == 0 ? null : content.gaps().in(offset, offset + length);
        if (gap != null) {
            throw BytesGone.in(id, gap);
        }
    }

    /** The offset of the first stored byte from here on; the end if there is none. */
    public long nextByte(long offset) {
        long kept = Math.max(offset, firstByte());
        Gap gap = content.gaps().at(kept);
        return gap == null ? kept : gap.to().offset();
    }

    /** The number of bytes before the offset that were never stored. */
    public long missingBefore(long offset) {
        return content.gaps().missingBefore(offset);
    }

    /** Whether the range contains bytes that were never stored although later bytes were. */
    public boolean hasGap(long from, long to) {
        return content.gaps().in(from, to) != null;
    }

    /** The stored parts of the first bytes, as runs without a gap. */
    public List<ByteRange> runs(long bytes) {
        var runs = new ArrayList<ByteRange>();
        for (long at = nextByte(0); at < bytes; at = nextByte(at)) {
            long end = Math.min(bytes, runEnd(at));
            runs.add(new ByteRange(file(), at, end - at));
            at = end;
        }
        return runs;
    }

    /** The start of the run without a gap that ends at the offset. */
    long runStart(long offset) {
        return Math.max(Math.min(firstByte(), offset), content.gaps().endBefore(offset));
    }

    /** The end of the run without a gap that contains the offset, whose byte is stored. */
    long runEnd(long offset) {
        long stored = storedBytes();
        Gap gap = content.gaps().next(offset);
        return gap == null ? stored : Math.min(stored, gap.from().offset());
    }

    /** The part of the range up to the first byte that is not stored. */
    public ByteRange bytes(long offset, long length) {
        checkKept(checked(offset));
        long from = Math.min(checked(offset), storedBytes());
        Gap gap = content.gaps().at(from);
        if (gap != null) {
            throw BytesGone.in(id, gap);
        }
        return new ByteRange(file(), from, Math.min(Math.max(0, length), runEnd(from) - from));
    }

    /** Stored bytes from the offset up to the next gap, at most {@link Limits#ARTIFACT_READ_BYTES}. */
    public byte[] read(long offset, int maxBytes) throws IOException {
        return read(bytes(offset, Math.min(maxBytes, Limits.ARTIFACT_READ_BYTES)));
    }

    private byte[] read(ByteRange range) throws IOException {
        byte[] bytes = new byte[(int) range.length()];
        if (bytes.length == 0) {
            return bytes;
        }
        try (ReadFile file = open()) {
            int length = ArtifactFiles.read(file.channel(), range.offset(), bytes, bytes.length);
            checkKept(range.offset());
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }
    }

    /** The end of the bytes that {@link #readLive} may find. */
    public long liveEnd() {
        return Math.max(storedBytes(), unstored.end(id));
    }

    /** The offset of the first byte that is only in memory; 0 if there is none. */
    public long liveStart() {
        return unstored.start(id);
    }

    /**
     * Like {@link #read}, but continues behind the stored bytes, or into a gap, with bytes that are still in memory. If some of these are
     * no longer in memory, only stored bytes are returned.
     */
    public byte[] readLive(long offset, int maxBytes) throws IOException {
        checkKept(checked(offset));
        Gap gap = content.gaps().next(offset);
        long stored = gap == null ? storedBytes() : gap.from().offset();
        long end = gap == null ? liveEnd() : gap.to().offset();
        long to = Math.min(offset + Math.min(maxBytes, Limits.ARTIFACT_READ_BYTES), end);
        byte[] beyond = to <= stored ? null : unstored.read(id, Math.max(offset, stored), to);
        if (offset >= stored) {
            return beyond == null ? new byte[0] : beyond;
        }
        if (beyond == null) {
            return read(offset, maxBytes);
        }
        byte[] first = read(offset, (int) (stored - offset));
        byte[] all = Arrays.copyOf(first, first.length + beyond.length);
        System.arraycopy(beyond, 0, all, first.length, beyond.length);
        return all;
    }

    /** The file of an artifact with at least one byte; the caller closes it. */
    public ReadFile open() throws IOException {
        return openFiles.opened(this);
    }

    /** Like {@link #open}, without a system call; null if the file is not open. */
    public @Nullable ReadFile openAlready() {
        return openFiles.open(id);
    }

    /** For a file that turned out to be damaged: the next reader opens it again. */
    public void closeForNew() {
        openFiles.forget(id);
    }

    FileChannel openFile() throws IOException {
        try {
            return ArtifactFiles.openToRead(file());
        } catch (NoSuchFileException e) {
            throw notFound(id);
        }
    }

    /**
     * A file beside the artifact for data that can be computed again from its bytes. It has one user at a time and is deleted with the
     * artifact; this class does not know its content.
     */
    public FileChannel sidecar() throws IOException {
        if (!Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            throw notFound(id);
        }
        FileChannel opened = ArtifactFiles.openToChange(files.sidecar(id));
        if (Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            return opened;
        }
        // The artifact was deleted between the two checks, so nothing would delete the new sidecar.
        opened.close();
        Files.deleteIfExists(files.sidecar(id));
        throw notFound(id);
    }

    static Failure notFound(String id) {
        return new Failure(
                FailureCode.ARTIFACT_NOT_FOUND,
                "There is no artifact \"" + id + "\": it was never stored, or has been deleted");
    }

    /**
     * Text of whole characters: from the first character that begins in the range to the last one that ends in it, so that consecutive
     * pages are the whole text. Bytes that are not UTF-8 become U+FFFD, at the same places however pages are cut. A range too short for
     * one character returns that character, so every page makes progress. While the artifact grows, an incomplete character at its end
     * is left for the next page.
     */
    public TextRange text(long offset, int maxBytes) throws IOException {
        int page = Math.min(maxBytes, Limits.ARTIFACT_READ_BYTES);
        // Read before the length: if the artifact is sealed now, the length read next is final.
        boolean growing = sealed() == null;
        long stored = storedBytes();
        long wanted = Math.min(checked(offset), stored);
        if (wanted == stored || maxBytes <= 0) {
            return new TextRange("", wanted, 0);
        }
        checkWhole(wanted, 1);
        long from = Math.max(runStart(wanted), wanted - (Utf8.LONGEST - 1));
        // Space for one character after a skipped one, and for the bytes that decide where the last one ends.
        long to = Math.min(Math.min(stored, runEnd(wanted)), wanted + page + 3L * Utf8.LONGEST);
        byte[] bytes = read(new ByteRange(file(), from, to - from));
        int at = (int) (wanted - from);
        int start = Utf8.boundaryFrom(bytes, at, bytes.length);
        int end = Utf8.unitAround(bytes, Math.min(bytes.length, at + page), bytes.length);
        if (end <= start) {
            end = start < bytes.length ? start + Utf8.unit(bytes, start, bytes.length) : start;
        }
        if (growing && end == bytes.length && to == stored && end > start) {
            int last = Utf8.unitAround(bytes, end - 1, bytes.length);
            end = Utf8.unfinished(bytes, last, bytes.length) ? Math.max(start, last) : end;
        }
        return new TextRange(Utf8.text(bytes, start, end), from + start, end - start);
    }

    /**
     * Reads the texts of many ranges in order.
     *
     * @param live whether to include bytes that are in memory only
     */
    public RangeTexts rangeTexts(boolean live) {
        return new RangeTexts(this, live);
    }

    /** A line feed ends a line; bytes behind the last line feed are a line too. */
    public long lineCount() throws IOException {
        return new ArtifactLines(this, content).count();
    }

    /** The lines from first to last, both included and counted from 1; lines that do not exist are left out. */
    public LineRange lines(long first, long last) throws IOException {
        return lines(first, last, Long.MAX_VALUE);
    }

    /** The lines of only this many bytes, as if there were no more. */
    public LineRange lines(long first, long last, long ofBytes) throws IOException {
        return new ArtifactLines(this, content).range(first, last, ofBytes);
    }

    static long checked(long offset) {
        if (offset < 0) {
            throw new Failure(FailureCode.INVALID_REQUEST, "An offset is 0 or more, not " + offset);
        }
        return offset;
    }
}
