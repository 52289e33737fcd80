package io.penstock.bench.spawn;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.NodeServer;
import io.penstock.bench.peer.Spooler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * Prints how many times per second {@code /bin/true} runs from its request to its end over HTTP, eight at a time: by
 * Penstock, which records it in its ledger, by node, which records nothing, and by task-spooler, if installed. They
 * take turns.
 */
public final class SpawnFigures {

    private static final int AT_ONCE = 8;

    /** Rounds until hot code has been compiled. */
    private static final int WARM_ROUNDS = 3;

    private static final double GOAL_OF_NODE = 1.5;
    private static final double GOAL_OF_SPOOLER = 1;

    private interface Way {
        double seconds(int tasks) throws IOException, InterruptedException, ExecutionException;
    }

    private SpawnFigures() {}

    public static void run(int tasks, int rounds) throws IOException, InterruptedException, ExecutionException {
        if (tasks < AT_ONCE || rounds < 1) {
            throw new IllegalArgumentException("tasks must be at least " + AT_ONCE + ", rounds at least 1");
        }
        try (LoadedServer server = LoadedServer.start()) {
            Path folder = Objects.requireNonNull(server.data().getParent());
            try (NodeServer node = NodeServer.start(folder)) {
                System.out.println(Machine.now());
                var penstock = new SpawnClient(server.address(), server.token());
                var peer = new SpawnClient(node.address(), null);
                Map<String, Way> ways = new LinkedHashMap<>();
                ways.put("Penstock", count -> Clients.seconds(AT_ONCE, count, client -> penstock::runOne));
                ways.put("node", count -> Clients.seconds(AT_ONCE, count, client -> peer::runOne));
                if (Spooler.program().isPresent()) {
                    ways.put("task-spooler", Spooler::seconds);
                } else {
                    System.out.println("task-spooler is not installed, and left out");
                }
                compare(ways, tasks, rounds, server::cpuNanos);
                System.out.println();
                System.out.println(Machine.now());
            }
        }
    }

    private static void compare(Map<String, Way> ways, int tasks, int rounds, LongSupplier penstockCpu)
            throws IOException, InterruptedException, ExecutionException {
        Map<String, double[]> seconds = new LinkedHashMap<>();
        double[] cpu = new double[rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                long cpuBefore = penstockCpu.getAsLong();
                double took = way.getValue().seconds(tasks);
                if (round >= 0) {
                    seconds.computeIfAbsent(way.getKey(), first -> new double[rounds])[round] = took;
                    if (way.getKey().equals("Penstock")) {
                        cpu[round] = (penstockCpu.getAsLong() - cpuBefore) / 1e6 / tasks;
                    }
                }
            }
        }
        System.out.printf(
                Locale.ROOT, """

                %,d times /bin/true, %d at once; medians (least–most) of %d rounds after %d, in turns. Goals: %.1f of node, %.1f of task-spooler.
                The server's process used %s ms of processor a task.

                way                    tasks/s   Penstock's rate is, of this one, run by run
                """, tasks, AT_ONCE, rounds, WARM_ROUNDS, GOAL_OF_NODE, GOAL_OF_SPOOLER, Spread.of(cpu));
        double[] own = Objects.requireNonNull(seconds.get("Penstock"));
        seconds.forEach((name, its) -> {
            double[] rates = new double[rounds];
            double[] ratios = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                rates[i] = tasks / its[i];
                ratios[i] = its[i] / own[i];
            }
            Spread rate = Spread.of(rates);
            System.out.printf(
                    Locale.ROOT,
                    "%-14s %,6.0f (%,.0f–%,.0f)   %s%n",
                    name,
                    rate.median(),
                    rate.least(),
                    rate.most(),
                    name.equals("Penstock") ? "" : Spread.of(ratios));
        });
    }
}
