package io.penstock.engine.artifact;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An artifact as its readers see it, growing or sealed. Any thread may read; nothing has to be closed, and one that is deleted
 * meanwhile is {@code ARTIFACT_NOT_FOUND}.
 */
public final class Artifact {

    private static final int SCAN_BYTES = 256 * 1024;

    private final String id;
    private final ArtifactFiles files;
    private final Contents contents;
    private final ReadOften often;

    Artifact(String id, ArtifactFiles files, Contents contents, ReadOften often) {
        this.id = id;
        this.files = files;
        this.contents = contents;
        this.often = often;
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

    /** The part of a wanted range that is there. */
    public ByteRange bytes(long offset, long length) {
        long stored = storedBytes();
        long from = Math.min(checked(offset), stored);
        return new ByteRange(file(), from, Math.min(Math.max(0, length), stored - from));
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
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }
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
        return ArtifactFiles.openToChange(files.sidecar(id));
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
        long from = Math.max(0, wanted - (Utf8.LONGEST - 1));
        // Room for one character after a skipped one, and for what decides where the last one ends.
        long to = Math.min(stored, wanted + page + 3L * Utf8.LONGEST);
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

    /** For who wants the texts of many ranges, in order. */
    public RangeTexts rangeTexts() {
        return new RangeTexts(this);
    }

    /** Lines are ended by a line feed; what follows the last one counts as a line too. */
    public long lineCount() throws IOException {
        // In this order, so that no more is counted than is stored.
        LineMark mark = contents.counted();
        long stored = storedBytes();
        long newlines = mark.newlines();
        boolean open = false;
        if (stored > 0) {
            byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, Math.max(1, stored - mark.offset()))];
            try (ReadFile file = open()) {
                FileChannel channel = file.channel();
                for (long at = mark.offset(); at < stored; at += chunk.length) {
                    int length = scan(channel, at, chunk, stored);
                    newlines += Newlines.count(chunk, 0, length);
                }
                scan(channel, stored - 1, chunk, stored);
                open = chunk[0] != '\n';
            }
        }
        return open ? newlines + 1 : newlines;
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
        if (counted.offset() > stored) {
            counted = LineMark.START;
        }
        if (stored == 0) {
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
            return new LineRange(first, lines, new ByteRange(file(), start.offset(), end.offset() - start.offset()));
        }
    }

    private static boolean endsWithNewline(FileChannel channel, long stored) throws IOException {
        byte[] last = new byte[1];
        scan(channel, stored - 1, last, stored);
        return last[0] == '\n';
    }

    /** The place behind the n-th line feed, or the end with as many as there are. */
    private LineMark after(long n, FileChannel channel, LineMark counted, long stored) throws IOException {
        if (n == 0) {
            return LineMark.START;
        }
        LineMark mark = contents.before(n);
        if (mark.offset() > stored) {
            // The index has grown past the end that this read goes by: what was counted before still holds.
            mark = counted;
        }
        if (mark.offset() == stored) {
            return mark;
        }
        long newlines = mark.newlines();
        byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, stored - mark.offset())];
        for (long at = mark.offset(); at < stored; at += chunk.length) {
            int length = scan(channel, at, chunk, stored);
            int here = Newlines.count(chunk, 0, length);
            if (newlines + here >= n) {
                return new LineMark(at + Newlines.find(chunk, 0, length, n - newlines) + 1, n);
            }
            newlines += here;
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
