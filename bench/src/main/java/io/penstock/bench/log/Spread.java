package io.penstock.bench.log;

import java.util.Arrays;
import java.util.Locale;

/** The spread of several runs: a single figure says little on a machine with other load. */
public record Spread(double median, double least, double most) {

    public static Spread of(double... runs) {
        double[] sorted = runs.clone();
        Arrays.sort(sorted);
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    /** A rate per second, in thousands. */
    String inThousands() {
        return String.format(Locale.ROOT, "%4.0f (%.0f–%.0f)", median / 1000, least / 1000, most / 1000);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", median, least, most);
    }
}
