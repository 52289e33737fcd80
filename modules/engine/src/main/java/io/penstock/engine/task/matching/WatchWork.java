package io.penstock.engine.task.matching;

import io.penstock.frames.TaskWatcherHit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One turn of a worker at a task's output: short, so that tasks with slow patterns do not keep others waiting. */
final class WatchWork {

    /** Hits of one turn: about as many as the event loop records in a millisecond. */
    static final int HITS = 1_000;

    static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Bytes that are matched between two looks at the clock: microseconds usually, some 200 ms with the slowest patterns. */
    private static final int PIECE_BYTES = 4 * 1024;

    private final List<WatchGroup> groups;
    private final ArrayDeque<WatchStep> left;
    private final List<TaskWatcherHit> hits = new ArrayList<>();
    private long matchedBytes;

    /** @param steps to do, in order; none is a {@link WatchStep.Join} */
    WatchWork(List<WatchGroup> groups, List<WatchStep> steps) {
        this.groups = List.copyOf(groups);
        this.left = new ArrayDeque<>(steps);
    }

    /** Runs on a worker. */
    WatchWork run() {
        long until = System.nanoTime() + TURN_NANOS;
        while (!left.isEmpty() && hits.size() < HITS && System.nanoTime() < until) {
            carryOut(left.remove());
        }
        return this;
    }

    private void carryOut(WatchStep step) {
        switch (step) {
            case WatchStep.Output output -> {
                WatchStep.Output piece = output.first(Math.min(PIECE_BYTES, output.length()));
                groups.forEach(group -> hits.addAll(group.match(piece)));
                matchedBytes += piece.length();
                if (piece.length() < output.length()) {
                    left.addFirst(output.after(piece.length()));
                }
            }
            case WatchStep.Pause pause -> groups.forEach(group -> hits.addAll(group.flush(pause.channel())));
            case WatchStep.End end -> groups.forEach(group -> hits.addAll(group.end(end.channel())));
            case WatchStep.Join _ -> throw new IllegalStateException("a worker matches for known groups only");
        }
    }

    List<TaskWatcherHit> hits() {
        return hits;
    }

    /** The steps for the next turn. */
    ArrayDeque<WatchStep> left() {
        return left;
    }

    long matchedBytes() {
        return matchedBytes;
    }
}
