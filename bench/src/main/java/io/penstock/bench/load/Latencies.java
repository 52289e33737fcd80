package io.penstock.bench.load;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.Locale;

/** How long something took, each time. For one thread; asked when all is over. */
final class Latencies {

    private static final double[] SHOWN = {50, 90, 99, 99.9};

    private final String name;
    private final String says;
    private long[] nanos = new long[1024];
    private int count;
    private boolean sorted;

    Latencies(String name, String says) {
        this.name = name;
        this.says = says;
    }

    void add(long took) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = took;
        sorted = false;
    }

    private double millis(double percentile) {
        if (!sorted) {
            Arrays.sort(nanos, 0, count);
            sorted = true;
        }
        int at = (int) Math.ceil(percentile / 100 * count) - 1;
        return nanos[Math.clamp(at, 0, count - 1)] / 1e6;
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
        if (count == 0) {
            return String.format("%-34s %10s", says, "none");
        }
        var line = new StringBuilder(String.format(Locale.ROOT, "%-34s %,10d", says, count));
        for (double percentile : SHOWN) {
            line.append(String.format(Locale.ROOT, " %9.2f", millis(percentile)));
        }
        return line.append(String.format(Locale.ROOT, " %9.2f", millis(100))).toString();
    }

    void addTo(JsonObject report) {
        var own = new JsonObject().put("times", count);
        if (count > 0) {
            for (double percentile : SHOWN) {
                own.put(
                        "p" + (percentile % 1 == 0 ? "" + (int) percentile : "" + percentile) + "_ms",
                        millis(percentile));
            }
            own.put("longest_ms", millis(100));
        }
        report.put(name, own);
    }
}
