package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.NodeServer;
import io.penstock.bench.peer.ProcessTime;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Prints how fast the output of one program reaches one reader over HTTP while it is written: as events from Penstock,
 * which records all of it, as events from node, which records nothing, and as bytes from Penstock. The ways take turns.
 */
public final class ReaderFigures {

    private static final double GOAL = 0.8;

    /** Rounds until hot code has been compiled. */
    private static final int WARM_ROUNDS = 4;

    private enum Way {
        NODE("node, events"),
        EVENTS("Penstock, events"),
        BYTES("Penstock, bytes");

        private final String says;

        Way(String says) {
            this.says = says;
        }
    }

    /** @param seconds from the request for the task until the last of its output has arrived */
    private record Run(double seconds, double serverCpuSeconds, double clientCpuSeconds) {}

    private final LoadedServer penstock;
    private final NodeServer node;
    private final Flood flood;
    private @Nullable Path lastOutput;

    private ReaderFigures(LoadedServer penstock, NodeServer node, Flood flood) {
        this.penstock = penstock;
        this.node = node;
        this.flood = flood;
    }

    public static void run(FetchOptions options) throws IOException, InterruptedException {
        try (LoadedServer server = LoadedServer.start()) {
            Path folder = Objects.requireNonNull(server.data().getParent());
            try (NodeServer node = NodeServer.start(folder)) {
                System.out.println(Machine.now());
                var figures = new ReaderFigures(server, node, Flood.in(folder, options.bytes()));
                figures.compare(options.rounds());
                System.out.println();
                System.out.println(Machine.now());
            }
        }
    }

    private void compare(int rounds) throws IOException, InterruptedException {
        Map<Way, List<Run>> runs = new EnumMap<>(Way.class);
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (Way way : Way.values()) {
                Run run = once(way);
                if (round >= 0) {
                    runs.computeIfAbsent(way, first -> new ArrayList<>()).add(run);
                }
            }
        }
        System.out.printf(Locale.ROOT, """

                A program writes %,d bytes of text into a pipe, and one reader has them over HTTP; medians (least–most) of %d runs after %d, in turns.
                Events have the first 8 KiB of each piece of up to 64 KiB, and tell how much there is; every piece and every byte is checked. Goal: %.1f of node.

                way                      MB/s of output   of node, run by run    server CPU s/GB   client CPU s/GB
                """, flood.bytes(), rounds, WARM_ROUNDS, GOAL);
        List<Run> reference = Objects.requireNonNull(runs.get(Way.NODE));
        runs.forEach((way, its) -> {
            double[] ratios = new double[its.size()];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = reference.get(i).seconds() / its.get(i).seconds();
            }
            Spread rates = spread(its, run -> flood.bytes() / 1e6 / run.seconds());
            System.out.printf(
                    Locale.ROOT,
                    "%-17s %,10.0f (%,.0f–%,.0f)   %-18s %18.2f %17.2f%n",
                    way.says,
                    rates.median(),
                    rates.least(),
                    rates.most(),
                    way == Way.NODE ? "" : Spread.of(ratios).toString(),
                    spread(its, run -> run.serverCpuSeconds() / flood.bytes() * 1e9)
                            .median(),
                    spread(its, run -> run.clientCpuSeconds() / flood.bytes() * 1e9)
                            .median());
        });
    }

    private static Spread spread(List<Run> runs, ToDoubleFunction<Run> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }

    private Run once(Way way) throws IOException, InterruptedException {
        return switch (way) {
            case NODE ->
                once(node.address(), null, node::cpuNanos, Reader::events).run();
            case EVENTS -> recorded(Reader::events);
            case BYTES -> recorded(Reader::bytes);
        };
    }

    private Run recorded(Reading reading) throws IOException, InterruptedException {
        // Deleted now, so that the next output is written into memory that was just freed. In a virtual machine, a
        // page that the host has to find first costs ten times as much, which says nothing about a server that has run
        // for a while.
        Path last = lastOutput;
        if (last != null) {
            try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
                // Frees its pages at once, even if the file is still open somewhere.
                file.truncate(0);
            }
            Files.delete(last);
        }
        Done done = once(penstock.address(), penstock.token(), penstock::cpuNanos, reading);
        String path = new TasksOverHttp(penstock).output(done.task()).path();
        lastOutput = penstock.data().resolve(path);
        return done.run();
    }

    private interface Reading {
        void all(Reader reader, String task) throws IOException;
    }

    private record Done(Run run, String task) {}

    private Done once(URI server, @Nullable String token, LongSupplier serverCpu, Reading reading)
            throws IOException, InterruptedException {
        var reader = new Reader(server, token, flood);
        var tasks = new TasksOverHttp(server, token);
        ProcessHandle here = ProcessHandle.current();
        long cpuOfServer = serverCpu.getAsLong();
        long cpuOfClient = ProcessTime.of(here);
        long begun = System.nanoTime();
        String task = tasks.begin(flood.command());
        reading.all(reader, task);
        double seconds = (System.nanoTime() - begun) / 1e9;
        var run = new Run(
                seconds, (serverCpu.getAsLong() - cpuOfServer) / 1e9, (ProcessTime.of(here) - cpuOfClient) / 1e9);
        return new Done(run, task);
    }
}
