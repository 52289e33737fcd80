package io.penstock.engine.log;

import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks may stand to be found.
 *
 * @param phases of those that have not ended
 * @param outcomes of those that have
 */
public record TaskStanding(Set<Phase> phases, Set<Outcome> outcomes) {

    public TaskStanding {
        phases = Set.copyOf(phases);
        outcomes = Set.copyOf(outcomes);
        if (phases.contains(Phase.ABSENT) || phases.contains(Phase.ENDED)) {
            throw new IllegalArgumentException("A task that has not ended is neither absent nor ended: " + phases);
        }
    }

    /** All of which this is true. */
    public static TaskStanding where(BiPredicate<Phase, @Nullable Outcome> holds) {
        var phases = EnumSet.noneOf(Phase.class);
        for (Phase phase : EnumSet.range(Phase.QUEUED, Phase.STOPPING)) {
            if (holds.test(phase, null)) {
                phases.add(phase);
            }
        }
        var outcomes = EnumSet.noneOf(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (holds.test(Phase.ENDED, outcome)) {
                outcomes.add(outcome);
            }
        }
        return new TaskStanding(phases, outcomes);
    }

    public boolean includes(Phase phase, @Nullable Outcome outcome) {
        return outcome == null ? phases.contains(phase) : outcomes.contains(outcome);
    }
}
