package io.penstock.engine.watch;

import io.penstock.frames.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the lines of one channel that cannot match, so that only the others are copied and searched. It passes on whole lines, and an
 * unfinished line from its start on as soon as it may match or is longer than {@link Limits#WATCH_WINDOW_BYTES}. Not thread-safe.
 */
public final class LineFilter {

    /** Bytes to be searched. Where two parts do not adjoin, lines are left out. */
    public record Part(long offset, byte[] bytes) {}

    /** After this many bytes, a filter that passes on most of them is not used any more. */
    private static final long TRIAL_BYTES = 256 * 1024;

    /** Where two pieces meet. */
    private final ByteBuffer seam = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);

    private @Nullable GramTable grams;

    /** Whether the unfinished line is passed on; otherwise it is {@code rest}. */
    private boolean passing = true;

    private byte[] rest = new byte[256];
    private int restBytes;
    private long readBytes;
    private long passedBytes;

    /** Leaves out lines without these grams, from the next one on; null: passes on everything. */
    public void use(@Nullable GramTable wanted) {
        grams = wanted;
        readBytes = 0;
        passedBytes = 0;
    }

    /** Whether the unfinished line is passed on. */
    public boolean isPassing() {
        return passing;
    }

    /** Reads the next bytes, of this offset. Returns those that must be searched. */
    public List<Part> feed(long offset, ByteBuffer bytes) {
        var parts = new Parts(offset, bytes);
        GramTable known = grams;
        if (known == null) {
            passing = true;
            parts.add(parts.first, parts.end);
            parts.finish();
        } else {
            filter(known, parts);
            readBytes += parts.end - parts.first;
            if (readBytes >= TRIAL_BYTES) {
                use(passedBytes > readBytes / 2 ? null : known);
            }
        }
        return parts.all;
    }

    /** Passes on the unfinished line after all, up to this offset. */
    public List<Part> release(long offset) {
        passing = true;
        List<Part> released =
                restBytes == 0 ? List.of() : List.of(new Part(offset - restBytes, Arrays.copyOf(rest, restBytes)));
        restBytes = 0;
        return released;
    }

    private void filter(GramTable known, Parts parts) {
        int at = parts.first;
        if (passing) {
            int end = parts.lineEnd(at);
            parts.add(at, end);
            at = end;
            passing = !parts.endsLine(end);
        }
        int found = meets(known, parts) ? at : known.find(parts.bytes, at, parts.end);
        while (found >= 0) {
            int begin = parts.lineStart(at, found);
            if (begin > at) {
                parts.finish();
                restBytes = 0;
            }
            at = parts.lineEnd(found);
            parts.add(begin, at);
            passing = !parts.endsLine(at);
            found = known.find(parts.bytes, at, parts.end);
        }
        parts.finish();
        if (!passing) {
            keep(parts, at);
        }
    }

    /** Whether the rest and the next bytes may have a required text between them. */
    private boolean meets(GramTable known, Parts parts) {
        if (restBytes == 0) {
            return false;
        }
        int each = known.length() - 1;
        int before = Math.min(each, restBytes);
        int after = Math.min(each, parts.end - parts.first);
        seam.clear().put(rest, restBytes - before, before);
        seam.put(before, parts.bytes, parts.first, after);
        return known.find(seam, 0, before + after) >= 0;
    }

    /** Keeps the unfinished line that begins with the rest or later. */
    private void keep(Parts parts, int from) {
        int begin = parts.lineStart(from, parts.end);
        if (begin > from) {
            restBytes = 0;
        }
        int more = parts.end - begin;
        if (restBytes + more > Limits.WATCH_WINDOW_BYTES) {
            passing = true;
            parts.add(begin, parts.end);
            parts.finish();
            return;
        }
        if (restBytes + more > rest.length) {
            rest = Arrays.copyOf(rest, Math.max(restBytes + more, 2 * rest.length));
        }
        parts.bytes.get(begin, rest, restBytes, more);
        restBytes += more;
    }

    /** What to pass on of a piece of output: the rest, if it is still there, and then a range of the piece, which may become longer. */
    private final class Parts {
        private final List<Part> all = new ArrayList<>();
        private final ByteBuffer bytes;
        private final long base;
        private final int first;
        private final int end;
        private int from;
        private int to;

        private Parts(long offset, ByteBuffer piece) {
            bytes = piece.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            first = piece.position();
            end = piece.limit();
            base = offset - first;
            from = first;
            to = first;
        }

        private void add(int begin, int until) {
            if (begin != to) {
                finish();
                from = begin;
            }
            to = until;
        }

        private void finish() {
            if (to > from) {
                byte[] part = Arrays.copyOf(rest, restBytes + to - from);
                bytes.get(from, part, restBytes, to - from);
                all.add(new Part(base + from - restBytes, part));
                passedBytes += part.length;
                restBytes = 0;
                from = to;
            }
        }

        /** The place behind the line end that follows, or the end. */
        private int lineEnd(int at) {
            int until = at;
            while (until < end && !isLineEnd(until)) {
                until++;
            }
            return Math.min(until + 1, end);
        }

        private boolean endsLine(int until) {
            return until > first && isLineEnd(until - 1);
        }

        /** The place behind the last line end between these; {@code least} if there is none. */
        private int lineStart(int least, int until) {
            int start = until;
            while (start > least && !isLineEnd(start - 1)) {
                start--;
            }
            return start;
        }

        private boolean isLineEnd(int at) {
            byte value = bytes.get(at);
            return value == '\n' || value == '\r';
        }
    }
}
