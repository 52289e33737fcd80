package io.penstock.engine.log;

import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The phases and outcomes that a listed task may have.
 *
 * @param phases of tasks that have not ended
 * @param outcomes of tasks that have ended
 */
public record StatusFilter(Set<Phase> phases, Set<Outcome> outcomes) {

    public StatusFilter {
        phases = Set.copyOf(phases);
        outcomes = Set.copyOf(outcomes);
        if (phases.contains(Phase.ABSENT) || phases.contains(Phase.ENDED)) {
            throw new IllegalArgumentException("A task that has not ended is neither absent nor ended: " + phases);
        }
    }

    /** All phases and outcomes that satisfy the predicate. */
    public static StatusFilter where(BiPredicate<Phase, @Nullable Outcome> predicate) {
        var phases = EnumSet.noneOf(Phase.class);
        for (Phase phase : EnumSet.range(Phase.QUEUED, Phase.STOPPING)) {
            if (predicate.test(phase, null)) {
                phases.add(phase);
            }
        }
        var outcomes = EnumSet.noneOf(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (predicate.test(Phase.ENDED, outcome)) {
                outcomes.add(outcome);
            }
        }
        return new StatusFilter(phases, outcomes);
    }

    public boolean includes(Phase phase, @Nullable Outcome outcome) {
        return outcome == null ? phases.contains(phase) : outcomes.contains(outcome);
    }
}
