package io.penstock.bench.spawn;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.bench.peer.Spooler;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Prints how many shell runs per second are spawned, end and are polled, in one session and in sixteen, by Penstock and by task-spooler, if
 * installed, which take turns; how long a poll takes meanwhile; and what sixteen watchers cost the server for each MiB of output.
 */
public final class ShellFigures {

    private static final int SESSIONS = 16;

    /** Rounds until hot code has been compiled. */
    private static final int WARM_ROUNDS = 2;

    private static final double GOAL_OF_SPOOLER = 1;
    private static final double GOAL_OF_WATCHERS = 0.3;

    private static final int OUTPUT_MIB = 64;
    private static final int MATCHES = 200_000;

    /** So that a busy poller does not count for the load itself. */
    private static final long POLL_EVERY_MS = 2;

    private final LoadedServer server;
    private final SpawnClient http;
    private final int runs;
    private final int rounds;
    private final Histogram polls = new Histogram(3);

    private ShellFigures(LoadedServer server, int runs, int rounds) {
        this.server = server;
        this.http = new SpawnClient(server.address(), server.token());
        this.runs = runs;
        this.rounds = rounds;
    }

    public static void run(int runs, int rounds) throws IOException, InterruptedException, ExecutionException {
        if (runs < SESSIONS || rounds < 1) {
            throw new IllegalArgumentException("runs must be at least " + SESSIONS + ", rounds at least 1");
        }
        try (LoadedServer server = LoadedServer.start()) {
            System.out.println(Machine.now());
            var figures = new ShellFigures(server, runs, rounds);
            if (Spooler.program().isEmpty()) {
                System.out.println("task-spooler is not installed, and left out");
            }
            figures.rates(1);
            figures.rates(SESSIONS);
            figures.watchers();
            System.out.println();
            System.out.println(Machine.now());
        }
    }

    private void rates(int sessions) throws IOException, InterruptedException, ExecutionException {
        boolean compared = Spooler.program().isPresent();
        double[] own = new double[rounds];
        double[] spooler = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            if (round == 0) {
                polls.reset();
            }
            double rate = runs / together(sessions);
            double peer = compared ? runs / Spooler.secondsWithOutput(runs, sessions) : Double.NaN;
            if (round >= 0) {
                own[round] = rate;
                spooler[round] = peer;
                ratios[round] = rate / peer;
            }
        }
        System.out.printf(
                Locale.ROOT,
                """

                %,d runs of "echo hello" from spawn to polled end, %d session(s); medians (least–most) of %d rounds after %d, in turns
                Penstock      %s runs/s
                task-spooler  %s runs/s; Penstock's rate is %s of it (goal %.1f)
                A poll meanwhile: p50 %.2f ms, p99 %.2f ms, longest %.1f ms of %,d
                """,
                runs,
                sessions,
                rounds,
                WARM_ROUNDS,
                whole(Spread.of(own)),
                whole(Spread.of(spooler)),
                Spread.of(ratios),
                GOAL_OF_SPOOLER,
                polls.getValueAtPercentile(50) / 1e6,
                polls.getValueAtPercentile(99) / 1e6,
                polls.getMaxValue() / 1e6,
                polls.getTotalCount());
    }

    private static String whole(Spread spread) {
        return String.format(Locale.ROOT, "%,6.0f (%,.0f–%,.0f)", spread.median(), spread.least(), spread.most());
    }

    /** One client for each session; another polls a run of its own. */
    private double together(int sessions) throws IOException, InterruptedException, ExecutionException {
        var poller = new ShellClient(http, "polled");
        String polled = poller.spawn("seq 1 1000; exec sleep 50");
        var ended = new AtomicBoolean();
        double seconds;
        try (var threads = Executors.newSingleThreadExecutor()) {
            Future<?> polling = threads.submit(() -> {
                while (!ended.get()) {
                    long begin = System.nanoTime();
                    poller.poll(polled, 0, 0);
                    polls.recordValue(System.nanoTime() - begin);
                    Thread.sleep(POLL_EVERY_MS);
                }
                return null;
            });
            try {
                seconds = Clients.seconds(sessions, runs, number -> new ShellClient(http, "bench-" + number)::runOne);
            } finally {
                ended.set(true);
            }
            polling.get();
        }
        poller.kill(polled);
        return seconds;
    }

    private void watchers() throws IOException {
        Path file = Objects.requireNonNull(server.data().getParent()).resolve("log");
        write(file);
        var client = new ShellClient(http, "watched");
        System.out.printf(
                Locale.ROOT,
                "%nProcessor time of the server for a MiB of output, of %d MiB; medians (least–most) of %d rounds"
                        + " after %d, in turns%n",
                OUTPUT_MIB,
                rounds,
                WARM_ROUNDS);
        for (String mode : List.of("pipes", "pty")) {
            cost(client, "cat " + file, mode, "words", "(?i)(error|failed): .*step %d");
            cost(client, "cat " + file, mode, "no words", "^\\w+\\s\\w+\\s\\S*[^a-z]{%d}\\W*$");
        }
        double[] rates = new double[rounds];
        double[] slowed = new double[rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            String command = "yes match | head -n " + MATCHES;
            double plain = client.seconds(command, "pipes", new JsonArray());
            double watched = client.seconds(command, "pipes", new JsonArray().add(watcher("^match$")));
            if (round >= 0) {
                rates[round] = MATCHES / watched / 1e3;
                slowed[round] = watched - plain;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,d matches: %s thousand/s recorded; the task takes %s s longer%n",
                MATCHES,
                Spread.of(rates),
                Spread.of(slowed));
    }

    private double cpuMs(ShellClient client, String command, String mode, JsonArray watch) throws IOException {
        long before = server.cpuNanos();
        client.seconds(command, mode, watch);
        return (server.cpuNanos() - before) / 1e6 / OUTPUT_MIB;
    }

    /** Of sixteen watchers that match nothing. */
    private void cost(ShellClient client, String command, String mode, String kind, String pattern) throws IOException {
        var watchers = new JsonArray();
        IntStream.rangeClosed(1, 16).forEach(i -> watchers.add(watcher(String.format(Locale.ROOT, pattern, i))));
        double[] without = new double[rounds];
        double[] with = new double[rounds];
        double[] more = new double[rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            double plain = cpuMs(client, command, mode, new JsonArray());
            double watched = cpuMs(client, command, mode, watchers);
            if (round >= 0) {
                without[round] = plain;
                with[round] = watched;
                more[round] = (watched - plain) / plain;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%-5s  %s ms; with 16 watchers with %s, which match nothing, %s ms, which is %s more (goal at most %.1f)%n",
                mode,
                Spread.of(without),
                kind,
                Spread.of(with),
                Spread.of(more),
                GOAL_OF_WATCHERS);
    }

    private static JsonObject watcher(String pattern) {
        return new JsonObject().put("regex", pattern).put("event", "found");
    }

    /** As a web server logs. */
    private static void write(Path file) throws IOException {
        var text = new StringBuilder();
        for (int i = 0; text.length() < 1 << 20; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "2026-11-20T12:00:%02d INFO [worker-%d] GET /api/item/%d 200 in %d ms%n",
                    i % 60,
                    i % 8,
                    i * 31L % 9973,
                    i % 97));
        }
        try (var out = Files.newBufferedWriter(file)) {
            for (int mib = 0; mib < OUTPUT_MIB; mib++) {
                out.write(text.toString(), 0, 1 << 20);
            }
        }
    }
}
