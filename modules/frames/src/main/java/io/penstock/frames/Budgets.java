package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * What a task may use up before it is stopped. Null is without limit.
 *
 * @param timeMs from the start of its program
 * @param outputBytes of all its channels together, stored or not
 * @param events frames of its stream
 */
public record Budgets(
        @Nullable Long timeMs,
        @Nullable Long outputBytes,
        @Nullable Long events) {

    public static final Budgets NONE = new Budgets(null, null, null);

    public Budgets {
        atLeastOne(timeMs, "time_ms");
        atLeastOne(outputBytes, "output_bytes");
        atLeastOne(events, "events");
    }

    private static void atLeastOne(@Nullable Long budget, String name) {
        if (budget != null) {
            Checks.atLeastOne(budget, name);
            Checks.notNegative(budget, name);
        }
    }
}
