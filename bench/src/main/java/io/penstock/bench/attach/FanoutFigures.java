package io.penstock.bench.attach;

import io.penstock.bench.fetch.FetchOptions;
import io.penstock.bench.fetch.Flood;
import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.NodeServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Prints how fast the output of one program reaches its viewers over WebSockets, compared to node, which records
 * nothing: a pipe to a hundred, or a terminal to one. The servers take turns.
 */
public final class FanoutFigures {

    private static final int MANY = 100;

    /** After this many rounds hardly anything is still being compiled, which would count as serving time. */
    private static final int WARM_ROUNDS = 60;

    private static final String TERMINAL = "pty";
    private static final String PIPE = "pipes";

    private final AttachedServer reference;
    private final AttachedServer own;
    private final Path folder;
    private final int rounds;

    private FanoutFigures(AttachedServer reference, AttachedServer own, Path folder, int rounds) {
        this.reference = reference;
        this.own = own;
        this.folder = folder;
        this.rounds = rounds;
    }

    private interface Comparison {
        void run(FanoutFigures figures, Flood flood) throws IOException, InterruptedException;
    }

    public static void many(FetchOptions options) throws IOException, InterruptedException {
        run(options, (figures, flood) -> {
            figures.compare(flood, MANY, TERMINAL, 2, "a terminal with 100 viewers; the goal is 2 of node");
            figures.compare(flood, MANY, PIPE, 2, "a pipe with 100 viewers");
        });
    }

    public static void terminal(FetchOptions options) throws IOException, InterruptedException {
        run(
                options,
                (figures, flood) -> figures.compare(
                        flood,
                        1,
                        TERMINAL,
                        WARM_ROUNDS,
                        "a terminal with one viewer; the goal is no more processor time than node"));
    }

    private static void run(FetchOptions options, Comparison comparison) throws IOException, InterruptedException {
        try (LoadedServer server = LoadedServer.start()) {
            Path folder = Objects.requireNonNull(server.data().getParent());
            try (NodeServer node = NodeServer.start(folder)) {
                System.out.println(Machine.now());
                var figures =
                        new FanoutFigures(AttachedServer.of(node), AttachedServer.of(server), folder, options.rounds());
                comparison.run(figures, Flood.in(folder, options.bytes()));
                System.out.println();
                System.out.println(Machine.now());
            }
        }
    }

    private void compare(Flood flood, int viewers, String mode, int warmRounds, String says)
            throws IOException, InterruptedException {
        var crowd = new FloodedViewers(folder, flood, viewers, mode);
        var others = new ArrayList<FloodedViewers.Run>();
        var ours = new ArrayList<FloodedViewers.Run>();
        for (int round = -warmRounds; round < rounds; round++) {
            FloodedViewers.Run other = crowd.run(reference);
            FloodedViewers.Run our = crowd.run(own);
            if (round >= 0) {
                others.add(other);
                ours.add(our);
            }
        }
        System.out.printf(Locale.ROOT, """

                A program writes %,d bytes of text as fast as it can into %s.
                Medians (least–most) of %d runs after %d, in turns; over binary WebSockets; MB/s and GB are of all viewers together.

                server            MB/s in all    of node, run by run   server CPU s/GB   client CPU s/GB
                """, flood.bytes(), says, rounds, warmRounds);
        double bytes = (double) flood.bytes() * viewers;
        print(reference.name(), bytes, others, "");
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            ratios[i] = others.get(i).seconds() / ours.get(i).seconds();
        }
        print(own.name(), bytes, ours, Spread.of(ratios).toString());
    }

    private static void print(String name, double bytes, List<FloodedViewers.Run> runs, String ratios) {
        Spread rates = spread(runs, run -> bytes / 1e6 / run.seconds());
        System.out.printf(
                Locale.ROOT,
                "%-9s %,7.0f (%,.0f–%,.0f)   %-20s %16.2f %17.2f%n",
                name,
                rates.median(),
                rates.least(),
                rates.most(),
                ratios,
                spread(runs, run -> run.serverCpuSeconds() / bytes * 1e9).median(),
                spread(runs, run -> run.clientCpuSeconds() / bytes * 1e9).median());
    }

    private static Spread spread(List<FloodedViewers.Run> runs, ToDoubleFunction<FloodedViewers.Run> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }
}
