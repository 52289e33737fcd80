package io.penstock.engine.artifact.text;

import io.penstock.frames.Limits;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The number of line feeds before each multiple of a stride. The number of marks is limited: at the limit every other mark is dropped and
 * the stride doubles. One thread adds bytes; any thread looks up.
 */
public final class LineIndex {

    /** A stride is scanned in some microseconds, and 100 MiB have 16 KiB of index. */
    private static final long FIRST_STRIDE = 64 * 1024;

    private final int maxMarks;
    private long stride;
    // marks[i] line feeds are before offset i * stride.
    private long[] marks;
    private int count;
    private long covered;
    private long newlines;

    LineIndex() {
        this(FIRST_STRIDE, Limits.ARTIFACT_LINE_MARKS);
    }

    /** An index from a mark on; places before it are not looked up. */
    public LineIndex(LineMark from) {
        this();
        while (from.offset() / stride >= maxMarks - 1) {
            stride *= 2;
        }
        count = (int) (from.offset() / stride) + 1;
        marks = Arrays.copyOf(marks, Math.max(marks.length, count));
        covered = from.offset();
        newlines = from.newlines();
    }

    public LineIndex(long stride, int maxMarks) {
        this(stride, maxMarks, new long[8], 1, 0, 0);
    }

    private LineIndex(long stride, int maxMarks, long[] marks, int count, long covered, long newlines) {
        this.stride = stride;
        this.maxMarks = maxMarks;
        this.marks = marks;
        this.count = count;
        this.covered = covered;
        this.newlines = newlines;
    }

    public synchronized void add(byte[] bytes, int length) {
        for (int at = 0; at < length; ) {
            long nextMark = count * stride;
            int step = (int) Math.min(length - at, nextMark - covered);
            newlines += Newlines.count(bytes, at, at + step);
            covered += step;
            at += step;
            if (covered == nextMark) {
                mark();
            }
        }
    }

    /** Continues behind a gap; marks inside the gap have the count before it. */
    public synchronized void skip(Gap gap) {
        for (long nextMark = count * stride; nextMark < gap.to().offset(); nextMark = count * stride) {
            covered = nextMark;
            mark();
        }
        covered = gap.to().offset();
        newlines = gap.to().newlines();
        if (covered == count * stride) {
            mark();
        }
    }

    private void mark() {
        if (count == maxMarks) {
            count = (count + 1) / 2;
            for (int i = 0; i < count; i++) {
                marks[i] = marks[2 * i];
            }
            stride *= 2;
            if (covered != count * stride) {
                return;
            }
        }
        if (count == marks.length) {
            marks = Arrays.copyOf(marks, Math.min(maxMarks, 2 * count));
        }
        marks[count++] = newlines;
    }

    /** The last known mark before the n-th line feed, which a scan from there finds. */
    public synchronized LineMark before(long n) {
        if (newlines < n) {
            return end();
        }
        int found = Arrays.binarySearch(marks, 0, count, n);
        if (found < 0) {
            found = -found - 1;
        }
        // A long line leaves several marks with the same count, and the search finds any of them: go to the first.
        while (found > 0 && marks[found - 1] >= n) {
            found--;
        }
        return found == 0 ? LineMark.START : new LineMark((found - 1) * stride, marks[found - 1]);
    }

    /** The mark up to which all bytes are counted. */
    public synchronized LineMark end() {
        return new LineMark(covered, newlines);
    }

    public synchronized int storedLength() {
        return 3 * Long.BYTES + Integer.BYTES + count * Long.BYTES;
    }

    public synchronized void storeInto(ByteBuffer form) {
        form.putLong(stride).putLong(covered).putLong(newlines).putInt(count);
        for (int i = 0; i < count; i++) {
            form.putLong(marks[i]);
        }
    }

    /** Reads a stored index whose checksum was correct. */
    public static LineIndex restore(ByteBuffer form) {
        long stride = form.getLong();
        long covered = form.getLong();
        long newlines = form.getLong();
        long[] marks = new long[form.getInt()];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = form.getLong();
        }
        return new LineIndex(stride, Math.max(marks.length, 2), marks, marks.length, covered, newlines);
    }
}
