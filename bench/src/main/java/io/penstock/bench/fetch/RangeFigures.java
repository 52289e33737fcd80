package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.Nginx;
import io.penstock.bench.peer.NodeServer;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Prints how many random ranges of one large output are fetched per second over HTTP, compared to another server with
 * the same file: 1 MiB to nginx, 64 KiB to node. The two take turns.
 */
public final class RangeFigures {

    private static final int CONNECTIONS = 32;
    private static final double WARM_SECONDS = 10;
    private static final int LARGE = 1 << 20;
    private static final int SMALL = 64 << 10;

    private final MappedByteBuffer file;
    private final FetchOptions options;

    private RangeFigures(MappedByteBuffer file, FetchOptions options) {
        this.file = file;
        this.options = options;
    }

    public static void run(FetchOptions options) throws IOException, InterruptedException {
        try (LoadedServer server = LoadedServer.start()) {
            System.out.println(Machine.now());
            var tasks = new TasksOverHttp(server);
            var output = tasks.run("head -c " + options.bytes() + " /dev/urandom");
            Path path = server.data().resolve(output.path());
            try (FileChannel channel = FileChannel.open(path);
                    NodeServer node = NodeServer.start(Objects.requireNonNull(path.getParent()))) {
                var figures = new RangeFigures(channel.map(FileChannel.MapMode.READ_ONLY, 0, options.bytes()), options);
                var penstock = new Target(
                        "Penstock",
                        server.address().resolve("/artifacts/" + output.id()),
                        server.token(),
                        server::cpuNanos);
                // A server that has just started is still being compiled, but is meant to run for weeks.
                new RangeLoad(penstock, figures.file, SMALL, CONNECTIONS, WARM_SECONDS).run(1);
                figures.heading();
                var nginx = Nginx.program();
                if (nginx.isPresent()) {
                    Path folder = Files.createDirectory(server.data().resolveSibling("nginx"));
                    try (Nginx started = Nginx.start(nginx.get(), folder, path)) {
                        var beside = new Target("nginx", started.address(), null, started::cpuNanos);
                        figures.compare(penstock, beside, LARGE, 0.9);
                        figures.compare(penstock, beside, SMALL, 0);
                    }
                } else {
                    System.out.println("1 MiB     nginx is not installed, so there is nothing to compare with");
                }
                var beside = new Target(
                        "node", node.address().resolve("/files/" + path.getFileName()), null, node::cpuNanos);
                figures.compare(penstock, beside, LARGE, 0);
                figures.compare(penstock, beside, SMALL, 1);
            }
            System.out.println();
            System.out.println(Machine.now());
        }
    }

    private void heading() {
        System.out.printf(Locale.ROOT, """

                Random ranges of an output of %,d bytes, over %d connections: medians (least–most) of %d runs of %d s after one, in turns.
                Every answer's head is looked at, of one in 64 all bytes. The client's processor time is on the same machine.

                range    server                ranges/s           MB/s  of the other, run by run   server CPU µs   client CPU µs
                """, options.bytes(), CONNECTIONS, options.rounds(), options.seconds());
    }

    private void compare(Target ours, Target beside, int rangeBytes, double goal) {
        var own = new ArrayList<RangeLoad.Run>();
        var others = new ArrayList<RangeLoad.Run>();
        for (int round = -1; round < options.rounds(); round++) {
            RangeLoad.Run first = load(ours, rangeBytes, round);
            RangeLoad.Run second = load(beside, rangeBytes, round);
            if (round >= 0) {
                own.add(first);
                others.add(second);
            }
        }
        double[] ratios = new double[own.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = rate(own.get(i)) / rate(others.get(i));
        }
        String size = rangeBytes == LARGE ? "1 MiB" : "64 KiB";
        print(size, beside, others, rangeBytes, "");
        print(size, ours, own, rangeBytes, Spread.of(ratios) + (goal > 0 ? " goal " + goal : ""));
    }

    private RangeLoad.Run load(Target target, int rangeBytes, int round) {
        return new RangeLoad(target, file, rangeBytes, CONNECTIONS, options.seconds()).run(round + 2L);
    }

    private static double rate(RangeLoad.Run run) {
        return run.answers() / run.seconds();
    }

    private static void print(String size, Target target, List<RangeLoad.Run> runs, int rangeBytes, String ratio) {
        Spread rates = spread(runs, RangeFigures::rate);
        System.out.printf(
                Locale.ROOT,
                "%-7s  %-8s %,9.0f (%,.0f–%,.0f) %9.0f  %-26s %14.0f %15.0f%n",
                size,
                target.name(),
                rates.median(),
                rates.least(),
                rates.most(),
                rates.median() * rangeBytes / 1e6,
                ratio,
                spread(runs, run -> run.serverCpuNanos() / 1e3 / run.answers()).median(),
                spread(runs, run -> run.clientCpuNanos() / 1e3 / run.answers()).median());
    }

    private static Spread spread(List<RangeLoad.Run> runs, ToDoubleFunction<RangeLoad.Run> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }
}
