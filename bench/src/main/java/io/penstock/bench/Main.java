package io.penstock.bench;

import io.penstock.bench.log.LogFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs one measurement by its name. */
public final class Main {

    private interface Measurement {
        void run(List<String> arguments) throws Exception;
    }

    private record Named(String says, Measurement measurement) {}

    private static final Map<String, Named> MEASUREMENTS = new LinkedHashMap<>();

    static {
        add(
                "log",
                "frames/s into Postgres beside the raw insert of the same rows; latency [frames rounds]",
                LogFigures::run);
        add("journal", "JMH: one append to the journal", jmh(JournalAppendBench.class));
        add("append", "JMH: one append to a stream, journal and index and all", jmh(StreamAppendBench.class));
        add("commit", "JMH: a group of appends until Postgres has it", jmh(GroupCommitBench.class));
    }

    private Main() {}

    private static void add(String name, String says, Measurement measurement) {
        MEASUREMENTS.put(name, new Named(says, measurement));
    }

    private static Measurement jmh(Class<?> benchmark) {
        return arguments -> JmhFigures.run(benchmark, arguments);
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("What can be measured (those of JMH take its options too, such as -f 1 -wi 3 -i 5):");
            MEASUREMENTS.forEach((name, named) -> System.out.printf("  %-8s %s%n", name, named.says()));
            return;
        }
        Named named = MEASUREMENTS.get(args[0]);
        if (named == null) {
            System.err.println("penstock: there is no measurement '" + args[0] + "'; there are "
                    + String.join(", ", MEASUREMENTS.keySet()) + ".");
            System.exit(2);
            return;
        }
        named.measurement().run(List.of(args).subList(1, args.length));
        // JMH and Vert.x may leave threads behind.
        System.exit(0);
    }
}
