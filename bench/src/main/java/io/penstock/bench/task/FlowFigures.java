package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.bench.log.Machine;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Promise;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Prints how a program that writes as fast as it can is recorded: the size of its frames and its speed. */
public final class FlowFigures {

    public static final int ROUNDS = 5;

    private record Flood(String name, String command) {}

    private static final List<Flood> FLOODS = List.of(
            new Flood("seq", "exec seq 1 5000000"),
            new Flood("yes", "exec head -c 100000000 <(yes)"),
            new Flood("lines", "for ((i = 0; i < 300000; i++)); do echo \"line $i\"; done"),
            new Flood("zeros", "exec head -c 1000000000 /dev/zero"));

    private record Run(long frames, long bytes, double seconds, double cpuSeconds) {}

    private final BenchEngine engine;

    private FlowFigures(BenchEngine engine) {
        this.engine = engine;
    }

    public static void run(int rounds) throws IOException {
        try (BenchEngine engine = BenchEngine.start()) {
            System.out.println(Machine.now());
            System.out.printf("""

                    A program that writes without a pause, to one follower, all of it stored: medians (least–most) of %d runs after one
                    seq    5 million short lines            lines  300,000 lines, each written by itself
                    yes    100 MB of two bytes each          zeros  1 GB in large writes; to a terminal a tenth of both

                    mode  program      MB/s                frames/s             bytes a frame         CPU s/GB of this process
                    """, rounds);
            var figures = new FlowFigures(engine);
            for (ExecutionMode mode : ExecutionMode.values()) {
                for (Flood flood : FLOODS) {
                    figures.compare(mode, flood, rounds);
                }
            }
            System.out.println(Machine.now());
        }
    }

    private void compare(ExecutionMode mode, Flood flood, int rounds) throws IOException {
        String command = mode == ExecutionMode.PTY ? flood.command().replace("00000000 ", "0000000 ") : flood.command();
        var runs = new ArrayList<Run>();
        for (int round = -1; round < rounds; round++) {
            Run run = once(mode, command);
            if (round >= 0) {
                runs.add(run);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%-5s %-7s %20s %20s %21s %19s%n",
                mode.wireName(),
                flood.name(),
                spread(
                        runs.stream()
                                .mapToDouble(run -> run.bytes() / 1e6 / run.seconds())
                                .toArray(),
                        "%.0f"),
                spread(
                        runs.stream()
                                .mapToDouble(run -> run.frames() / run.seconds())
                                .toArray(),
                        "%.0f"),
                spread(
                        runs.stream()
                                .mapToDouble(run -> (double) run.bytes() / run.frames())
                                .toArray(),
                        "%.0f"),
                spread(
                        runs.stream()
                                .mapToDouble(run -> run.cpuSeconds() / run.bytes() * 1e9)
                                .toArray(),
                        "%.2f"));
    }

    private static String spread(double[] figures, String format) {
        double[] sorted = figures.clone();
        java.util.Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                format + " (" + format + "–" + format + ")",
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private Run once(ExecutionMode mode, String command) throws IOException {
        long cpu = cpuNanos();
        long begun = System.nanoTime();
        String taskId = engine.spawn(command, mode);
        var frames = new long[2];
        Promise<Void> ended = Promise.promise();
        engine.tasks().follow(taskId, 0).exceptionHandler(ended::tryFail).handler(frame -> {
            if (frame.body() instanceof ToolTaskOutputDelta delta) {
                frames[0]++;
                frames[1] += delta.bytes();
            } else if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                ended.complete();
            }
        });
        await(ended.future());
        double seconds = (System.nanoTime() - begun) / 1e9;
        double cpuSeconds = (cpuNanos() - cpu) / 1e9;
        var spec = Objects.requireNonNull(await(engine.tasks().state(taskId)).spec());
        for (var log : spec.logs()) {
            Files.deleteIfExists(engine.artifact(log.path()));
        }
        return new Run(frames[0], frames[1], seconds, cpuSeconds);
    }

    /** Processor time used by this process. */
    static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
