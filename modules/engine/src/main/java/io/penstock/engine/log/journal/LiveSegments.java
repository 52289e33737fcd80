package io.penstock.engine.log.journal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments that are in use, in order: changed under the journal's lock, read by anyone without. */
final class LiveSegments {
    private volatile Segment[] segments;

    LiveSegments(List<Segment> segments) {
        this.segments = segments.toArray(Segment[]::new);
    }

    List<Segment> all() {
        return List.of(segments);
    }

    int count() {
        return segments.length;
    }

    void add(Segment segment) {
        Segment[] more = Arrays.copyOf(segments, segments.length + 1);
        more[segments.length] = segment;
        segments = more;
    }

    /** Takes out those that end at or below a position, but never the last, which is being written. */
    List<Segment> removeBelow(long position) {
        Segment[] before = segments;
        int gone = 0;
        while (gone < before.length - 1 && before[gone].closedAt() <= position) {
            gone++;
        }
        if (gone == 0) {
            return List.of();
        }
        segments = Arrays.copyOfRange(before, gone, before.length);
        return List.of(Arrays.copyOf(before, gone));
    }

    /** The segment that has a position or, for one in a gap between two, the later; null where it was released. */
    @Nullable
    Segment holding(long position) {
        Segment[] now = segments;
        for (Segment segment : now) {
            if (position < segment.end && position < segment.closedAt() || segment == now[now.length - 1]) {
                return position >= segment.follows() ? segment : null;
            }
        }
        return null;
    }

    @Nullable
    Segment after(Segment segment) {
        for (Segment candidate : segments) {
            if (candidate.base > segment.base) {
                return candidate;
            }
        }
        return null;
    }
}
