package io.penstock.engine.log.journal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments in use, in order: changed under the journal's lock, read without it. */
final class LiveSegments {
    private volatile Segment[] segments;

    LiveSegments(List<Segment> segments) {
        this.segments = segments.toArray(Segment[]::new);
    }

    List<Segment> all() {
        return List.of(segments);
    }

    /** There is always at least the segment that is being written. */
    Segment first() {
        return segments[0];
    }

    int count() {
        return segments.length;
    }

    void add(Segment segment) {
        Segment[] more = Arrays.copyOf(segments, segments.length + 1);
        more[segments.length] = segment;
        segments = more;
    }

    /** Removes the segments that end at or below a position, except the last, which is being written. */
    List<Segment> removeBelow(long position) {
        Segment[] before = segments;
        int removed = 0;
        while (removed < before.length - 1 && before[removed].closedAt() <= position) {
            removed++;
        }
        if (removed == 0) {
            return List.of();
        }
        segments = Arrays.copyOfRange(before, removed, before.length);
        return List.of(Arrays.copyOf(before, removed));
    }

    /**
     * The segment that contains a position or, for a position between two segments, the later one; null if it was
     * released.
     */
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
