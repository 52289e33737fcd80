package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * The lines of an artifact: counts them, and finds their bytes, from the nearest mark of the line index. A line feed ends a line; bytes
 * behind the last line feed are a line too. The beginning of an artifact that keeps its tail may be removed during a scan, and reads as
 * zeros then, so each scan checks afterwards that its start is still kept, and is repeated if not.
 */
final class ArtifactLines {

    private static final int SCAN_BYTES = 256 * 1024;

    private final Artifact artifact;
    private final ArtifactContent content;

    ArtifactLines(Artifact artifact, ArtifactContent content) {
        this.artifact = artifact;
        this.content = content;
    }

    long count() throws IOException {
        while (true) {
            // In this order, so that no more is counted than is stored.
            LineMark mark = content.gaps().countable(keptMark(content.counted()));
            long stored = artifact.storedBytes();
            long lines = stored == 0 ? 0 : count(mark, stored);
            if (isKept(mark)) {
                return lines;
            }
        }
    }

    private long count(LineMark mark, long stored) throws IOException {
        long newlines = mark.newlines();
        byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, Math.max(1, stored - mark.offset()))];
        try (ReadFile file = artifact.open()) {
            FileChannel channel = file.channel();
            for (long at = mark.offset(); at < stored; ) {
                Gap gap = content.gaps().at(at);
                if (gap != null) {
                    newlines = gap.to().newlines();
                    at = gap.to().offset();
                    continue;
                }
                int length = scan(channel, at, chunk, Math.min(stored, artifact.runEnd(at)));
                newlines += Newlines.count(chunk, 0, length);
                at += length;
            }
            return endsWithNewline(channel, stored) ? newlines : newlines + 1;
        }
    }

    /**
     * Finds a range of lines; lines that do not exist are left out.
     *
     * @param first counted from 1
     * @param last included
     * @param ofBytes only this many bytes count, as if there were no more
     */
    LineRange range(long first, long last, long ofBytes) throws IOException {
        if (first < 1 || last < first) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "Lines count from 1 and the last is not before the first, unlike " + first + "-" + last);
        }
        LineMark counted = content.counted();
        long stored = Math.min(artifact.storedBytes(), ofBytes);
        LineMark kept = content.kept();
        // The line of the first kept byte began before it, at an unknown place.
        if (kept.offset() > 0 && first - 1 <= kept.newlines()) {
            throw BytesGone.before(artifact.id(), kept);
        }
        if (counted.offset() > stored) {
            counted = kept;
        }
        if (stored <= kept.offset()) {
            return new LineRange(first, first - 1, new ByteRange(artifact.file(), 0, 0));
        }
        try (ReadFile file = artifact.open()) {
            FileChannel channel = file.channel();
            LineMark start = after(first - 1, channel, counted, stored);
            if (start.newlines() < first - 1 || start.offset() == stored) {
                return new LineRange(first, first - 1, new ByteRange(artifact.file(), stored, 0));
            }
            LineMark end = after(last, channel, counted, stored);
            long lines =
                    end.newlines() < last && !endsWithNewline(channel, stored) ? end.newlines() + 1 : end.newlines();
            long length = end.offset() - start.offset();
            artifact.checkWhole(start.offset(), length);
            return new LineRange(first, lines, new ByteRange(artifact.file(), start.offset(), length));
        }
    }

    /** The mark, or the first kept one if bytes behind the mark were removed. */
    private LineMark keptMark(LineMark mark) {
        LineMark kept = content.kept();
        return mark.offset() < kept.offset() ? kept : mark;
    }

    private boolean isKept(LineMark from) {
        return content.kept().offset() <= from.offset();
    }

    private static boolean endsWithNewline(FileChannel channel, long stored) throws IOException {
        byte[] last = new byte[1];
        scan(channel, stored - 1, last, stored);
        return last[0] == '\n';
    }

    /** The mark behind the n-th line feed; the end if there are fewer. */
    private LineMark after(long n, FileChannel channel, LineMark counted, long stored) throws IOException {
        while (true) {
            LineMark mark = keptMark(content.before(n));
            if (mark.offset() > 0 && mark.newlines() >= n && mark.equals(content.kept())) {
                throw BytesGone.before(artifact.id(), mark);
            }
            LineMark found = n == 0 ? LineMark.START : after(n, mark, channel, counted, stored);
            if (isKept(mark)) {
                return found;
            }
        }
    }

    private LineMark after(long n, LineMark from, FileChannel channel, LineMark counted, long stored)
            throws IOException {
        // The index may have grown beyond the end that this read uses; the count taken before is still valid then.
        LineMark mark = content.gaps().countable(from.offset() > stored ? counted : from);
        if (mark.offset() == stored) {
            return mark;
        }
        long newlines = mark.newlines();
        byte[] chunk = new byte[(int) Math.min(SCAN_BYTES, stored - mark.offset())];
        for (long at = mark.offset(); at < stored; ) {
            Gap gap = content.gaps().at(at);
            if (gap != null) {
                if (gap.to().newlines() >= n) {
                    // The line ended at an unknown place inside the gap.
                    throw BytesGone.in(artifact.id(), gap);
                }
                newlines = gap.to().newlines();
                at = gap.to().offset();
                continue;
            }
            int length = scan(channel, at, chunk, Math.min(stored, artifact.runEnd(at)));
            int here = Newlines.count(chunk, 0, length);
            if (newlines + here >= n) {
                return new LineMark(at + Newlines.find(chunk, 0, length, n - newlines) + 1, n);
            }
            newlines += here;
            at += length;
        }
        return new LineMark(stored, newlines);
    }

    /** Reads bytes that are known to be stored, so a shorter file is damaged. */
    private static int scan(FileChannel channel, long at, byte[] chunk, long stored) throws IOException {
        int length = (int) Math.min(chunk.length, stored - at);
        if (ArtifactFiles.read(channel, at, chunk, length) < length) {
            throw new IOException("An artifact of " + stored + " bytes has a shorter file: someone has cut it");
        }
        return length;
    }
}
