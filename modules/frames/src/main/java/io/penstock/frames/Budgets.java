package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The limits at which a task is stopped. Null means no limit.
 *
 * @param timeMs time from the start of its program
 * @param outputBytes bytes of all its channels together, stored or not
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

    void writeJson(JsonWriter json) {
        json.numberOrNull("time_ms", timeMs);
        json.numberOrNull("output_bytes", outputBytes);
        json.numberOrNull("events", events);
    }

    static Budgets readJson(JsonFields fields) {
        return new Budgets(
                fields.numberOrNull("time_ms"), fields.numberOrNull("output_bytes"), fields.numberOrNull("events"));
    }

    void writeStored(ByteWriter out) {
        out.writeNumberOrNull(timeMs);
        out.writeNumberOrNull(outputBytes);
        out.writeNumberOrNull(events);
    }

    static Budgets readStored(ByteReader in) {
        return new Budgets(in.readNumberOrNull(), in.readNumberOrNull(), in.readNumberOrNull());
    }
}
