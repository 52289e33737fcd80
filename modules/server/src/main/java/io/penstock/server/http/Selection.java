package io.penstock.server.http;

import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.pump.RecordedBytes;
import io.penstock.server.http.range.EntityTag;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about before any range of it is taken: an output, or some lines of it.
 *
 * @param lines which they are, if there are lines that were asked for
 */
record Selection(
        RecordedBytes bytes,
        long offset,
        long length,
        @Nullable String lines) {

    static Selection all(RecordedBytes bytes) {
        return new Selection(bytes, 0, bytes.length(), null);
    }

    static Selection lines(RecordedBytes bytes, LineRange range) {
        return new Selection(
                bytes,
                range.bytes().offset(),
                range.bytes().length(),
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
        return EntityTag.strong(lines == null ? digest : digest + ";" + place);
    }
}
