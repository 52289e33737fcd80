package io.penstock.engine.log;

import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many of the newest tasks of a list are in which state. */
public record TaskCounts(List<Group> groups) {

    /** Older tasks are not counted: so many are read in some milliseconds. */
    public static final int MOST = 10_000;

    /** So many tasks in the same state. */
    public record Group(Phase phase, @Nullable Outcome outcome, long tasks) {}

    public TaskCounts {
        groups = List.copyOf(groups);
    }

    /** All counted tasks. */
    public long all() {
        return groups.stream().mapToLong(Group::tasks).sum();
    }

    public long of(StatusFilter standing) {
        return groups.stream()
                .filter(group -> standing.includes(group.phase(), group.outcome()))
                .mapToLong(Group::tasks)
                .sum();
    }
}
