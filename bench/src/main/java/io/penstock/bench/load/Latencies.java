package io.penstock.bench.load;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The durations of one repeated step. For one thread; read after the run. */
final class Latencies {

    private static final double[] SHOWN_PERCENTILES = {50, 90, 99, 99.9};

    /** Durations are exact to a thousandth. */
    private static final int SIGNIFICANT_DIGITS = 3;

    private final String name;
    private final String description;
    private final Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);

    Latencies(String name, String description) {
        this.name = name;
        this.description = description;
    }

    /** Clocks of two processes may differ by some microseconds: a negative duration counts as none. */
    void add(long tookNanos) {
        nanos.recordValue(Math.max(0, tookNanos));
    }

    private double millis(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }

    static String heading() {
        return String.format(
                Locale.ROOT,
                "%-34s %10s %9s %9s %9s %9s %9s",
                "milliseconds",
                "times",
                "median",
                "90 %",
                "99 %",
                "99.9 %",
                "longest");
    }

    @Override
    public String toString() {
        if (nanos.getTotalCount() == 0) {
            return String.format("%-34s %10s", description, "none");
        }
        var line = new StringBuilder(String.format(Locale.ROOT, "%-34s %,10d", description, nanos.getTotalCount()));
        for (double percentile : SHOWN_PERCENTILES) {
            line.append(String.format(Locale.ROOT, " %9.2f", millis(percentile)));
        }
        return line.append(String.format(Locale.ROOT, " %9.2f", millis(100))).toString();
    }

    void addTo(JsonObject report) {
        var own = new JsonObject().put("times", nanos.getTotalCount());
        if (nanos.getTotalCount() > 0) {
            for (double percentile : SHOWN_PERCENTILES) {
                own.put(
                        "p" + (percentile % 1 == 0 ? "" + (int) percentile : "" + percentile) + "_ms",
                        millis(percentile));
            }
            own.put("longest_ms", millis(100));
        }
        report.put(name, own);
    }
}
