package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
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
 * An artifact as its readers see it, growing or sealed. Any thread may read; nothing has to be closed, and one that is deleted
 * meanwhile is {@code ARTIFACT_NOT_FOUND}.
 */
public final class Artifact {

    private static final int SCAN_BYTES = 256 * 1024;

    private final String id;
    private final ArtifactFiles files;
    private final ArtifactContent contents;
    private final OpenFileCache often;
    private final UnstoredBytes unstored;

    Artifact(String id, ArtifactFiles files, ArtifactContent contents, OpenFileCache often, UnstoredBytes unstored) {
        this.id = id;
        this.files = files;
        this.contents = contents;
        this.often = often;
        this.unstored = unstored;
    }

    public String id() {
        return id;
    }

    /** As frames name it, below the data directory. */
    public String path() {
        return files.relativePath(id);
    }

    /** Its file on this machine; there is none as long as there is no byte. */
    public Path file() {
        return files.bytes(id);
    }

    /** How many bytes can be read: only what is completely written, never less than before. */
    public long storedBytes() {
        return contents.storedBytes();
    }

    /** What it was sealed as; nothing while it grows, and when the server died before its seal. */
    public @Nullable Sealed sealed() {
        return contents.sealed();
    }

    /** The first that is kept: the others were given back to the disk. It moves on while an artifact grows that keeps its tail. */
    public long firstByte() {
        return Math.min(contents.kept().offset(), storedBytes());
    }

    /** Whether bytes that can be read now may be gone a moment later. */
    public boolean losesBytes() {
        return contents instanceof GrowingArtifact now && now.keepsTail() && now.sealed() == null;
    }

    /** To be asked after bytes from this offset on were read, too: what is read of a hole is zeros. */
    public void checkKept(long offset) {
        if (offset < firstByte()) {
            throw BytesGone.before(id, contents.kept());
        }
    }

    /** The same for a range, in which no byte may be missing. What is said of missing bytes inside an artifact never changes. */
    public void checkWhole(long offset, long length) {
        checkKept(offset);
        Gap gap = length == 0 ? null : contents.gaps().in(offset, offset + length);
        if (gap != null) {
            throw BytesGone.in(id, gap);
        }
    }

    /** This offset, or the next one of which the byte is there; the end if that is none. */
    public long nextByte(long offset) {
        long kept = Math.max(offset, firstByte());
        Gap gap = contents.gaps().at(kept);
        return gap == null ? kept : gap.to().offset();
    }

    /** How many of the first so many bytes were never stored. */
    public long missingBefore(long offset) {
        return contents.gaps().missingBefore(offset);
    }

    /** Whether bytes of a range were not stored when those behind them were. */
    public boolean hasGap(long from, long to) {
        return contents.gaps().in(from, to) != null;
    }

    /** What is there of the first so many bytes, in runs without a gap. */
    public List<ByteRange> runs(long bytes) {
        var runs = new ArrayList<ByteRange>();
        for (long at = nextByte(0); at < bytes; at = nextByte(at)) {
            long end = Math.min(bytes, runEnd(at));
            runs.add(new ByteRange(file(), at, end - at));
            at = end;
        }
        return runs;
    }

    /** From where on bytes follow each other up to an offset. */
    long runStart(long offset) {
        return Math.max(Math.min(firstByte(), offset), contents.gaps().endBefore(offset));
    }

    /** Up to where bytes follow each other from an offset on, which is there. */
    private long runEnd(long offset) {
        long stored = storedBytes();
        Gap gap = contents.gaps().next(offset);
        return gap == null ? stored : Math.min(stored, gap.from().offset());
    }

    /** The part of a wanted range that is there: up to the first byte that is missing. */
    public ByteRange bytes(long offset, long length) {
        checkKept(checked(offset));
        long from = Math.min(checked(offset), storedBytes());
        Gap gap = contents.gaps().at(from);
        if (gap != null) {
            throw BytesGone.in(id, gap);
        }
        return new ByteRange(file(), from, Math.min(Math.max(0, length), runEnd(from) - from));
    }

    /** The bytes from an offset on, as many as are there and wanted, and at most {@link Limits#ARTIFACT_READ_BYTES}. */
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

    /** Up to where {@link #readLive} may find bytes. */
    public long liveEnd() {
        return Math.max(storedBytes(), unstored.end(id));
    }

    /** From where on bytes that are not stored are in memory; 0 where none are. */
    public long liveStart() {
        return unstored.start(id);
    }

    /**
     * As {@link #read}, and where a range goes beyond what is stored, or into a gap, all of it that was written a moment ago and is still in
     * memory; if that is not all there, only what is stored.
     */
    public byte[] readLive(long offset, int maxBytes) throws IOException {
        checkKept(checked(offset));
        Gap gap = contents.gaps().next(offset);
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

    /** Its file, for one who reads it and closes it; only of an artifact with a byte. */
    public ReadFile open() throws IOException {
        return often.opened(this);
    }

    /** The same without a system call, where it is open already. */
    public @Nullable ReadFile openAlready() {
        return often.open(id);
    }

    /** The file that is open is not what it should be: the next to read it opens it anew. */
    public void closeForNew() {
        often.forget(id);
    }

    FileChannel openFile() throws IOException {
        try {
            return ArtifactFiles.openToRead(file());
        } catch (NoSuchFileException e) {
            throw notFound(id);
        }
    }

    /**
     * A file beside it for what can be made again from its bytes: read and written by one at a time, and removed with it. Nothing
     * of it is known here.
     */
    public FileChannel sidecar() throws IOException {
        if (!Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            throw notFound(id);
        }
        FileChannel opened = ArtifactFiles.openToChange(files.sidecar(id));
        if (Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            return opened;
        }
        // Deleted between the two: the file that was just made would stay for ever.
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
     * Text of whole characters. It begins with the first character that begins in the range, and ends with the last
     * that ends in it, so that pages after each other are the text of the whole; bytes that are no UTF-8 are U+FFFD, in
     * the same places however pages are cut. A range too short for one character gives that one all the same, so every
     * page gets on. While the artifact grows, a character that is not all there yet is left for the next page.
     */
    public TextRange text(long offset, int maxBytes) throws IOException {
        int page = Math.min(maxBytes, Limits.ARTIFACT_READ_BYTES);
        // Asked first: when it is sealed, the length asked next is the last one.
        boolean growing = sealed() == null;
        long stored = storedBytes();
        long wanted = Math.min(checked(offset), stored);
        if (wanted == stored || maxBytes <= 0) {
            return new TextRange("", wanted, 0);
        }
        checkWhole(wanted, 1);
        long from = Math.max(runStart(wanted), wanted - (Utf8.LONGEST - 1));
        // Room for one character after a skipped one, and for what decides where the last one ends.
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
     * For who wants the texts of many ranges, in order.
     *
     * @param live whether also of what is not stored, as long as it is in memory
     */
    public RangeTexts rangeTexts(boolean live) {
        return new RangeTexts(this, live);
    }

    /** Lines are ended by a line feed; what follows the last one counts as a line too. */
    public long lineCount() throws IOException {
        while (true) {
            // In this order, so that no more is counted than is stored.
            LineMark mark = contents.gaps().countable(known(contents.counted()));
            long stored = storedBytes();
            long lines = stored == 0 ? 0 : lineCount(mark, stored);
            if (isKept(mark)) {
                return lines;
            }
        }
    }

    private long lineCount(LineMark mark, long stored) throws IOException {
        long newlines = mark.newlines();
        byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, Math.max(1, stored - mark.offset()))];
        try (ReadFile file = open()) {
            FileChannel channel = file.channel();
            for (long at = mark.offset(); at < stored; ) {
                Gap gap = contents.gaps().at(at);
                if (gap != null) {
                    newlines = gap.to().newlines();
                    at = gap.to().offset();
                    continue;
                }
                int length = scan(channel, at, chunk, Math.min(stored, runEnd(at)));
                newlines += Newlines.count(chunk, 0, length);
                at += length;
            }
            scan(channel, stored - 1, chunk, stored);
            return chunk[0] == '\n' ? newlines : newlines + 1;
        }
    }

    /** From one line to another, both included and counted from 1; those that are not there are left out. */
    public LineRange lines(long first, long last) throws IOException {
        return lines(first, last, Long.MAX_VALUE);
    }

    /** The same of its first so many bytes, as if there were no more. */
    public LineRange lines(long first, long last, long ofBytes) throws IOException {
        if (first < 1 || last < first) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "Lines count from 1 and the last is not before the first, unlike " + first + "-" + last);
        }
        LineMark counted = contents.counted();
        long stored = Math.min(storedBytes(), ofBytes);
        LineMark kept = contents.kept();
        // Where exactly the line begins that the first byte is in, or behind, nobody knows any more.
        if (kept.offset() > 0 && first - 1 <= kept.newlines()) {
            throw BytesGone.before(id, kept);
        }
        if (counted.offset() > stored) {
            counted = kept;
        }
        if (stored <= kept.offset()) {
            return new LineRange(first, first - 1, new ByteRange(file(), 0, 0));
        }
        try (ReadFile file = open()) {
            FileChannel channel = file.channel();
            LineMark start = after(first - 1, channel, counted, stored);
            if (start.newlines() < first - 1 || start.offset() == stored) {
                return new LineRange(first, first - 1, new ByteRange(file(), stored, 0));
            }
            LineMark end = after(last, channel, counted, stored);
            // What follows the last line feed is one more line.
            long lines =
                    end.newlines() < last && !endsWithNewline(channel, stored) ? end.newlines() + 1 : end.newlines();
            checkWhole(start.offset(), end.offset() - start.offset());
            return new LineRange(first, lines, new ByteRange(file(), start.offset(), end.offset() - start.offset()));
        }
    }

    /** A place to count on from: none in what is gone. */
    private LineMark known(LineMark mark) {
        LineMark kept = contents.kept();
        return mark.offset() < kept.offset() ? kept : mark;
    }

    /** Whether what was read from a place on was there all the time: what is read of a hole is zeros. */
    private boolean isKept(LineMark from) {
        return contents.kept().offset() <= from.offset();
    }

    private static boolean endsWithNewline(FileChannel channel, long stored) throws IOException {
        byte[] last = new byte[1];
        scan(channel, stored - 1, last, stored);
        return last[0] == '\n';
    }

    /** The place behind the n-th line feed, or the end with as many as there are. */
    private LineMark after(long n, FileChannel channel, LineMark counted, long stored) throws IOException {
        while (true) {
            LineMark mark = known(contents.before(n));
            if (mark.offset() > 0 && mark.newlines() >= n && mark.equals(contents.kept())) {
                throw BytesGone.before(id, mark);
            }
            LineMark found = n == 0 ? LineMark.START : after(n, mark, channel, counted, stored);
            if (isKept(mark)) {
                return found;
            }
        }
    }

    private LineMark after(long n, LineMark from, FileChannel channel, LineMark counted, long stored)
            throws IOException {
        // When the index has grown past the end that this read goes by, what was counted before still holds.
        LineMark mark = contents.gaps().countable(from.offset() > stored ? counted : from);
        if (mark.offset() == stored) {
            return mark;
        }
        long newlines = mark.newlines();
        byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, stored - mark.offset())];
        for (long at = mark.offset(); at < stored; ) {
            Gap gap = contents.gaps().at(at);
            if (gap != null) {
                if (gap.to().newlines() >= n) {
                    // Where the line ended, nobody knows any more.
                    throw BytesGone.in(id, gap);
                }
                newlines = gap.to().newlines();
                at = gap.to().offset();
                continue;
            }
            int length = scan(channel, at, chunk, Math.min(stored, runEnd(at)));
            int here = Newlines.count(chunk, 0, length);
            if (newlines + here >= n) {
                return new LineMark(at + Newlines.find(chunk, 0, length, n - newlines) + 1, n);
            }
            newlines += here;
            at += length;
        }
        return new LineMark(stored, newlines);
    }

    /** Bytes that are known to be there, so a shorter file is a damaged one. */
    private static int scan(FileChannel channel, long at, byte[] chunk, long stored) throws IOException {
        int length = (int) Math.min(chunk.length, stored - at);
        if (ArtifactFiles.read(channel, at, chunk, length) < length) {
            throw new IOException("An artifact of " + stored + " bytes has a shorter file: someone has cut it");
        }
        return length;
    }

    static long checked(long offset) {
        if (offset < 0) {
            throw new Failure(FailureCode.INVALID_REQUEST, "An offset is 0 or more, not " + offset);
        }
        return offset;
    }
}
