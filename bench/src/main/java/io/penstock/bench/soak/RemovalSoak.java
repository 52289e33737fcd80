package io.penstock.bench.soak;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.bench.history.PastTasks;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.engine.session.SessionApi;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Old tasks are removed while the server is killed again and again: each is removed once, whatever the moments. */
final class RemovalSoak {

    private static final int TASKS = 5_000;
    private static final int DAYS_AGO = 5;
    private static final int ASKED = 20;

    /** A removal begins when the server is ready, and takes about as long. */
    private static final int LONGEST_LIFE_MS = 300;

    private final PrintStream out;
    private final Path folder;
    private final int kills;
    private final Random random;

    RemovalSoak(PrintStream out, Path folder, int kills, long seed) {
        this.out = out;
        this.folder = folder;
        this.kills = kills;
        this.random = new Random(seed);
    }

    void run() throws IOException, InterruptedException, PostgresUnavailable {
        PastTasks past = write();
        for (int kill = 0; kill < kills; kill++) {
            try (SoakedServer server = start()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS));
                server.end(true);
            }
        }
        try (SoakedServer server = start()) {
            JsonObject retention;
            do {
                TimeUnit.MILLISECONDS.sleep(10);
                retention = new JsonObject(server.get("/retention"));
            } while (retention.getLong("checked_at_ms") == null);
            JsonArray removals = retention.getJsonArray("removals");
            long removed = removals.stream()
                    .mapToLong(removal -> ((JsonObject) removal).getLong("tasks"))
                    .sum();
            if (removed != TASKS || !new JsonArray(server.get("/tasks")).isEmpty()) {
                throw new SoakFailure(removed + " of " + TASKS + " tasks were removed: " + removals.encode());
            }
            for (int i = 0; i < ASKED; i++) {
                String task = past.any();
                if (server.status("/tasks/" + task) != 410) {
                    throw new SoakFailure("the removed task " + task + " is answered otherwise than with 410");
                }
            }
            out.printf("soak queue: %d old tasks removed once, with %d times kill -9%n", removed, kills);
        }
    }

    private SoakedServer start() throws IOException {
        return SoakedServer.start(folder, List.of("--keep-tasks-days", "1"));
    }

    private PastTasks write() throws IOException, PostgresUnavailable {
        Path data = Files.createDirectory(folder.resolve("data"));
        long then = System.currentTimeMillis() - Duration.ofDays(DAYS_AGO).toMillis();
        Vertx vertx = Vertx.vertx();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(
                EmbeddedPostgres.Settings.of(data.resolve("postgres"), folder.resolve("programs")));
        try {
            var clock = new AtomicLong(then - Duration.ofDays(1).toMillis());
            Ledger ledger = await(Ledger.open(
                    vertx, LedgerSettings.of(data.resolve("journal"), postgres.connectOptions()), clock::get));
            SessionApi sessions = await(SessionApi.deploy(vertx, ledger.frames(), ledger.sessions(), clock::get));
            var past = new PastTasks(ledger, sessions, clock);
            past.write(TASKS, 1, then);
            for (String deployment : sessions.deployments()) {
                await(vertx.undeploy(deployment));
            }
            await(ledger.drained());
            await(ledger.close());
            return past;
        } finally {
            await(vertx.close());
            postgres.stop();
        }
    }
}
