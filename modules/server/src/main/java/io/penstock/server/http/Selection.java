package io.penstock.server.http;

import io.penstock.engine.artifact.ByteRange;
import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.server.http.range.EntityTag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resource of a request, before ranges are applied: an output, or some of its lines.
 *
 * @param runs the stored runs of an output with gaps, which has no ranges; otherwise empty
 * @param lines the line numbers, if lines were requested
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

    /** The kept part of an output whose beginning was removed; its first byte is the first kept one. */
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
     * The entity tag: strong once nothing can change. A growing output has a weak tag, which changes with its length. Ranges of it need
     * no {@code If-Range}, because stored bytes never change.
     */
    EntityTag tag() {
        String digest = bytes.digest();
        String place = offset + "+" + length;
        if (digest == null) {
            return EntityTag.weak(place);
        }
        // The digest covers only the kept bytes.
        return EntityTag.strong(
                !runs.isEmpty() || lines == null && offset == bytes.firstByte() ? digest : digest + ";" + place);
    }
}
