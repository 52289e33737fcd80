package io.penstock.bench.log;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** The machine of a measurement, and its load. */
public final class Machine {

    private Machine() {}

    public static String now() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s; load of the last minute %.1f",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version").replaceAll("-.*", ""),
                Runtime.version(),
                load);
    }
}
