package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Prints how long it takes until a late joiner has the complete screen of a terminal that has written much, over HTTP
 * and by attaching.
 */
public final class JoinFigures {

    private static final int TIMES = 300;
    private static final int WARM_TIMES = 300;

    /** Viewers that join concurrently during a flood. */
    private static final int JOINERS = 4;

    /** A screen and some scrollback, as the web client requests. */
    private static final int SCROLLBACK = 1000;

    private record Output(String name, String command) {}

    private final LoadedServer server;
    private final TasksOverHttp tasks;
    private final ScreenJoins joins;

    private JoinFigures(LoadedServer server, ScreenJoins joins) {
        this.server = server;
        this.tasks = new TasksOverHttp(server);
        this.joins = joins;
    }

    public static void run(FetchOptions options) throws IOException, InterruptedException {
        long bytes = options.bytes();
        var outputs = List.of(
                new Output("yes", "yes | head -c " + bytes / 4),
                new Output("seq", "seq 100000000 | head -c " + bytes),
                new Output(
                        "coloured log",
                        "yes \"$(printf '\\033[32mINFO\\033[0m a line of \\033[1;34msome\\033[0m log')\" | head -c "
                                + bytes));
        try (LoadedServer server = LoadedServer.start();
                var joins = new ScreenJoins(server, SCROLLBACK)) {
            System.out.println(Machine.now());
            System.out.printf(Locale.ROOT, """

                    A late joiner of a terminal that has written %,d bytes (yes a quarter of that) and still runs: milliseconds from the request
                    to the complete screen, with %d lines above it. In the flood: %d viewers who join by attaching, again and again, from its beginning to its
                    end. Server CPU is what the flood cost, with them. Afterwards one at a time.

                    output        MB/s   server CPU s/GB   in the flood: times    p50    p99  longest   GET p50    p99   attach p50    p99   server CPU ms a join
                    """, bytes, SCROLLBACK, JOINERS);
            var figures = new JoinFigures(server, joins);
            for (int round = 0; round < options.rounds(); round++) {
                for (Output output : outputs) {
                    figures.measure(output);
                }
            }
            System.out.println();
            System.out.println(Machine.now());
        }
    }

    private void measure(Output output) throws IOException, InterruptedException {
        long cpu = server.cpuNanos();
        long begun = System.nanoTime();
        String task = tasks.beginInTerminal(output.command() + "; printf over; sleep 3600");
        var over = new CompletableFuture<@Nullable Void>();
        var watch = Thread.ofPlatform().start(() -> untilOver(task, over));
        List<Double> inFlood = joins.whileRunning(task, JOINERS, over);
        watch.join();
        over.join();
        double seconds = (System.nanoTime() - begun) / 1e9;
        double floodCpu = (server.cpuNanos() - cpu) / 1e9;
        long bytes = tasks.terminalBytes(task);
        for (int i = 0; i < WARM_TIMES; i++) {
            screen(task);
            joins.attach(task, ScreenJoins.Until.CAUGHT_UP);
        }
        cpu = server.cpuNanos();
        var got = new double[TIMES];
        var attached = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            got[i] = screen(task);
            attached[i] = joins.attach(task, ScreenJoins.Until.CAUGHT_UP);
        }
        double joinCpu = (server.cpuNanos() - cpu) / 1e6 / (2 * TIMES);
        double[] flood = inFlood.stream().mapToDouble(Double::doubleValue).toArray();
        System.out.printf(
                Locale.ROOT,
                "%-12s %5.0f %17.1f %20d %6.1f %6.1f %8.1f %9.2f %6.2f %12.2f %6.2f %12.2f%n",
                output.name(),
                bytes / seconds / 1e6,
                floodCpu / bytes * 1e9,
                flood.length,
                at(flood, 0.5),
                at(flood, 0.99),
                at(flood, 1),
                at(got, 0.5),
                at(got, 0.99),
                at(attached, 0.5),
                at(attached, 0.99),
                joinCpu);
        tasks.stop(task);
    }

    /** The output has ended once its size stays the same. */
    private void untilOver(String task, CompletableFuture<@Nullable Void> over) {
        try {
            long before = -1;
            long now = 0;
            while (now == 0 || before != now) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                before = now;
                now = tasks.terminalBytes(task);
            }
            over.complete(null);
        } catch (IOException | InterruptedException | RuntimeException e) {
            over.completeExceptionally(e);
        }
    }

    private double screen(String task) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        tasks.screen(task, SCROLLBACK);
        return (System.nanoTime() - asked) / 1e6;
    }

    private static double at(double[] times, double part) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
