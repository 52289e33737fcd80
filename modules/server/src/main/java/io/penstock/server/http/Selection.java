package io.penstock.server.http;

import io.penstock.engine.artifact.ByteRange;
import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.view.RecordedBytes;
import io.penstock.server.http.range.EntityTag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about before any range of it is taken: an output, or some lines of it.
 *
 * @param runs the bytes it has where some between them are missing, else empty; then they are had as a whole only
 * @param lines which they are, if there are lines that were asked for
 */
record Selection(
        RecordedBytes bytes,
        long offset,
        long length,
        List<ByteRange> runs,
        @Nullable String lines) {

    Selection {
        runs = List.copyOf(runs);
    }

    static Selection all(RecordedBytes bytes) {
        return new Selection(bytes, 0, bytes.length(), List.of(), null);
    }

    /** Only those that are there, where others are gone; a resource of its own, whose first byte is the first that is kept. */
    static Selection kept(RecordedBytes bytes) {
        long first = bytes.firstByte();
        List<ByteRange> runs = bytes.artifact().runs(bytes.length());
        if (runs.size() > 1) {
            long length = runs.stream().mapToLong(ByteRange::length).sum();
            return new Selection(bytes, runs.getFirst().offset(), length, runs, null);
        }
        return new Selection(bytes, first, bytes.length() - first, List.of(), null);
    }

    static Selection lines(RecordedBytes bytes, LineRange range) {
        return new Selection(
                bytes,
                range.bytes().offset(),
                range.bytes().length(),
                List.of(),
                range.last() < range.first() ? "none" : range.first() + "-" + range.last());
    }

    /**
     * Strong once nothing can change any more. What still grows has a weak tag, which tells whether there is more now: ranges of it
     * need no {@code If-Range}, since bytes that were given once stay as they are.
     */
    EntityTag tag() {
        String digest = bytes.digest();
        String place = offset + "+" + length;
        if (digest == null) {
            return EntityTag.weak(place);
        }
        // The digest is one of the bytes that are kept.
        return EntityTag.strong(
                !runs.isEmpty() || lines == null && offset == bytes.firstByte() ? digest : digest + ";" + place);
    }
}
