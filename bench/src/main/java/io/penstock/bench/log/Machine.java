package io.penstock.bench.log;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** On what, and beside how much else, something was measured. */
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
