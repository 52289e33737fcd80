package io.penstock.bench;

import io.penstock.bench.log.Machine;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/** Runs a JMH benchmark in forks of this JVM, and prints one line for each result. */
final class JmhFigures {

    private JmhFigures() {}

    /** The arguments are JMH's own and override the benchmark's annotations. */
    static void run(Class<?> benchmark, List<String> arguments) throws RunnerException, CommandLineOptionException {
        var options = new OptionsBuilder()
                .parent(new CommandLineOptions(arguments.toArray(String[]::new)))
                .include("\\b" + benchmark.getSimpleName() + "\\b")
                .addProfiler(GCProfiler.class)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        System.out.println();
        System.out.println(Machine.now());
        results.forEach(result -> System.out.println(line(result)));
    }

    private static String line(RunResult result) {
        var parameters = result.getParams();
        String of = parameters.getParamsKeys().stream()
                .map(key -> key + " " + parameters.getParam(key))
                .collect(Collectors.joining(", "));
        Statistics times = result.getPrimaryResult().getStatistics();
        String unit = result.getPrimaryResult().getScoreUnit();
        String figure = switch (parameters.getMode()) {
            case SampleTime ->
                String.format(
                        Locale.ROOT,
                        "p50 %.0f, p99 %.0f, p99.9 %.0f %s",
                        times.getPercentile(50),
                        times.getPercentile(99),
                        times.getPercentile(99.9),
                        unit);
            case AverageTime, SingleShotTime, Throughput, All ->
                String.format(
                        Locale.ROOT,
                        "%.1f (%.1f–%.1f) %s",
                        result.getPrimaryResult().getScore(),
                        times.getMin(),
                        times.getMax(),
                        unit);
        };
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        String benchmark = parameters.getBenchmark();
        return String.format(
                Locale.ROOT,
                "%-32s %-36s %s%s",
                benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1),
                of,
                figure,
                allocated == null ? "" : String.format(Locale.ROOT, ", %.0f B allocated", allocated.getScore()));
    }
}
