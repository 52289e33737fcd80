package io.penstock.bench.attach;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.NodeServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Prints the latency from a typed key to its echo: over a binary WebSocket, through a terminal whose program is {@code
 * cat}, one key after another. Alone, and while another task writes as fast as it can; compared to node, in turns.
 */
public final class EchoFigures {

    private static final double GOAL = 0.7;

    /**
     * This many keys, or as many as fit into the time: compilation during the first keys is not typical of a server.
     */
    private static final int KEYS = 20_000;

    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final int WARM_ROUNDS = 6;
    private static final int BUFFER_BYTES = 64 << 10;

    /** Writes as fast as it can until it is stopped. */
    private static final String FLOODS = "exec yes 'what is written here is of no use to anybody'";

    private enum Beside {
        NOTHING("alone"),
        FLOOD("beside a flood");

        private final String says;

        Beside(String says) {
            this.says = says;
        }
    }

    /** In microseconds; the processor time is the server's for one key. */
    private record Run(double median, double p99, double most, double serverCpu) {}

    private final int rounds;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private final Gate gate;

    private EchoFigures(int rounds, Gate gate) {
        this.rounds = rounds;
        this.gate = gate;
    }

    public static void run(int rounds) throws IOException, InterruptedException {
        try (LoadedServer server = LoadedServer.start()) {
            Path folder = Objects.requireNonNull(server.data().getParent());
            try (NodeServer node = NodeServer.start(folder)) {
                System.out.println(Machine.now());
                var figures = new EchoFigures(rounds, Gate.in(folder));
                System.out.printf(
                        Locale.ROOT, """

                        A key is typed and its echo waited for, %d times a run or for %d s; microseconds, medians (least–most) of %d runs after %d,
                        in turns. Goals: p50 %.1f of node's, p99 beside a flood 1000 µs.

                                                           p50   of node, run by run                 p99            most   server CPU
                        """, KEYS, TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS), rounds, WARM_ROUNDS, GOAL);
                for (Beside beside : Beside.values()) {
                    figures.compare(AttachedServer.of(node), AttachedServer.of(server), beside);
                }
                System.out.println();
                System.out.println(Machine.now());
            }
        }
    }

    private void compare(AttachedServer reference, AttachedServer own, Beside beside)
            throws IOException, InterruptedException {
        var others = new ArrayList<Run>();
        var ours = new ArrayList<Run>();
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            Run other = type(reference, beside);
            Run our = type(own, beside);
            if (round >= 0) {
                others.add(other);
                ours.add(our);
            }
        }
        print(reference.name(), beside, others, "");
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            ratios[i] = ours.get(i).median() / others.get(i).median();
        }
        print(own.name(), beside, ours, Spread.of(ratios).toString());
    }

    private static void print(String name, Beside beside, List<Run> runs, String ratios) {
        System.out.printf(
                Locale.ROOT,
                "%-9s %-16s %18s   %-20s %18s %13s %12s%n",
                name,
                beside.says,
                whole(runs.stream().mapToDouble(Run::median).toArray()),
                ratios,
                whole(runs.stream().mapToDouble(Run::p99).toArray()),
                whole(runs.stream().mapToDouble(Run::most).toArray()),
                whole(runs.stream().mapToDouble(Run::serverCpu).toArray()));
    }

    private static String whole(double[] figures) {
        Spread spread = Spread.of(figures);
        return String.format(Locale.ROOT, "%.0f (%.0f–%.0f)", spread.median(), spread.least(), spread.most());
    }

    private Run type(AttachedServer server, Beside beside) throws IOException, InterruptedException {
        var tasks = server.tasks();
        String flood = beside == Beside.FLOOD ? tasks.begin(FLOODS, "pipes") : null;
        String task = tasks.begin("stty raw -echo; " + gate.waiting() + "; printf r; exec cat", "pty");
        try (var socket = new AttachedSocket(server, task, (offset, bytes, from, length) -> {})) {
            gate.release();
            long seen = socket.read(buffer);
            while (seen == 0) {
                seen = socket.read(buffer);
            }
            double[] micros = new double[KEYS];
            long cpu = server.cpuNanos().getAsLong();
            int keys = 0;
            long begun = System.nanoTime();
            for (long typed = begun; keys < KEYS && typed - begun < MOST_NANOS; keys++) {
                seen = echo(socket, seen);
                long echoed = System.nanoTime();
                micros[keys] = (echoed - typed) / 1e3;
                typed = echoed;
            }
            double cpuMicros = (server.cpuNanos().getAsLong() - cpu) / 1e3 / keys;
            Arrays.sort(micros, 0, keys);
            return new Run(micros[keys / 2], micros[keys * 99 / 100], micros[keys - 1], cpuMicros);
        } finally {
            tasks.cancel(task);
            if (flood != null) {
                tasks.cancel(flood);
                server.forgetting().output(flood, "stdout");
            }
        }
    }

    private long echo(AttachedSocket socket, long seen) throws IOException {
        socket.type((byte) 'k');
        long now = seen;
        while (now == seen) {
            now = socket.read(buffer);
        }
        if (now != seen + 1) {
            throw new IOException("a key was echoed " + (now - seen) + " times");
        }
        return now;
    }
}
