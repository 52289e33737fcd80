package io.penstock.bench.history;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.bench.log.BenchPostgres;
import io.penstock.bench.log.Machine;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.engine.log.retention.LedgerHolds;
import io.penstock.engine.log.retention.LedgerLimits;
import io.penstock.engine.log.retention.LedgerRetention;
import io.penstock.engine.session.SessionApi;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists, polls and starts with a thousand tasks and with many, and the removal of old ones. */
public final class HistoryFigures {

    /** As many as are kept by default, so as many partitions. */
    private static final int DAYS = 90;

    private static final int FEW = 1_000;
    private static final int KEPT_DAYS = 7;
    private static final int REPEATED = 400;

    private final Vertx vertx;
    private final BenchPostgres postgres;
    private final long nowMs = System.currentTimeMillis();

    private HistoryFigures(Vertx vertx, BenchPostgres postgres) {
        this.vertx = vertx;
        this.postgres = postgres;
    }

    /** @param tasks how many tasks the long history has */
    public static void run(int tasks) throws IOException, PostgresUnavailable {
        Vertx vertx = Vertx.vertx();
        try (BenchPostgres postgres = BenchPostgres.start()) {
            System.out.println(Machine.now());
            var figures = new HistoryFigures(vertx, postgres);
            figures.measure(FEW);
            figures.measure(tasks);
            System.out.println(Machine.now());
        } finally {
            await(vertx.close());
        }
    }

    private void measure(int tasks) throws IOException, PostgresUnavailable {
        PgConnectOptions options = postgres.connectOptions();
        String schema = "history_" + tasks;
        LedgerSettings settings =
                LedgerSettings.of(postgres.folder(schema), options).withSchema(schema);
        // The clock of a ledger may only go forward.
        var clock = new AtomicLong(nowMs - Duration.ofDays(DAYS).toMillis());
        Ledger ledger = await(Ledger.open(vertx, settings, clock::get));
        SessionApi sessions = await(SessionApi.deploy(vertx, ledger.frames(), ledger.sessions(), clock::get));
        var past = new PastTasks(ledger, sessions, clock);
        System.out.printf("%n%,d ended tasks of three frames over %d days, a tenth of them in sessions%n", tasks, DAYS);
        long began = System.nanoTime();
        past.write(tasks, DAYS, nowMs);
        System.out.printf(
                "written in %d s%n", Duration.ofNanos(System.nanoTime() - began).toSeconds());
        sizes(schema, tasks);

        for (String deployment : sessions.deployments()) {
            await(vertx.undeploy(deployment));
        }
        queries(ledger, past);
        await(ledger.close());
        began = System.nanoTime();
        Ledger again = await(Ledger.open(vertx, settings, clock::get));
        System.out.printf("start of the ledger: %.1f ms%n", millisSince(began));
        remove(again, schema, tasks);
        queries(again, past);
        await(again.close());
    }

    private void queries(Ledger ledger, PastTasks past) {
        var middle = await(ledger.tasks().list(TaskQuery.NEWEST)).next();
        times("list, the newest 200", REPEATED, () -> await(ledger.tasks().list(TaskQuery.NEWEST)));
        times("list, the newest 20", REPEATED, () -> await(ledger.tasks().list(newest(null, 20, null))));
        times(
                "list, the next 20 of a page",
                REPEATED,
                () -> await(ledger.tasks().list(newest(null, 20, middle))));
        times("list, 20 of a session", REPEATED, () -> await(ledger.tasks().list(newest("session-7", 20, null))));
        times("list of sessions", REPEATED, () -> await(ledger.sessions().sessions(null, 20)));
        times(
                "poll, any task",
                REPEATED,
                () -> ledger.frames()
                        .read(StreamId.task(past.any()), 0, 10)
                        .otherwiseEmpty()
                        .await());
        times(
                "poll, an unknown task",
                REPEATED,
                () -> ledger.frames()
                        .read(StreamId.task(UUID.randomUUID().toString()), 0, 10)
                        .otherwiseEmpty()
                        .await());
    }

    private static TaskQuery newest(@Nullable String session, int limit, @Nullable TaskCursor after) {
        return new TaskQuery(session, null, null, null, limit, after);
    }

    private static void times(String what, int repeated, Runnable operation) {
        for (int i = 0; i < repeated / 4; i++) {
            operation.run();
        }
        var millis = new double[repeated];
        for (int i = 0; i < repeated; i++) {
            long began = System.nanoTime();
            operation.run();
            millis[i] = millisSince(began);
        }
        Arrays.sort(millis);
        System.out.printf(
                "%-28s p50 %6.2f ms, p99 %6.2f ms%n", what, millis[repeated / 2], millis[repeated * 99 / 100]);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static double millisSince(long beganNanos) {
        return (System.nanoTime() - beganNanos) / 1e6;
    }

    private void sizes(String schema, int tasks) throws IOException {
        PgConnection connection = await(PgConnection.connect(vertx, postgres.connectOptions()));
        Row row = await(connection
                        .query(
                                "SELECT sum(pg_total_relation_size(oid)) FILTER (WHERE relname LIKE 'frame_%')::bigint AS frames,"
                                        + " sum(pg_total_relation_size(oid)) FILTER (WHERE relname = 'stream')::bigint AS streams,"
                                        + " sum(pg_total_relation_size(oid)) FILTER (WHERE relname = 'task')::bigint AS tasks"
                                        + " FROM pg_class WHERE relkind = 'r' AND relnamespace = '" + schema
                                        + "'::regnamespace")
                        .execute())
                .iterator()
                .next();
        System.out.printf(
                "bytes per task: frames %d, stream %d, task %d; the files of Postgres: %,d MiB%n",
                row.getLong("frames") / tasks,
                row.getLong("streams") / tasks,
                row.getLong("tasks") / tasks,
                diskBytes() >> 20);
        await(connection.close());
    }

    private long diskBytes() throws IOException {
        try (Stream<Path> files = Files.walk(postgres.folder("postgres"))) {
            return files.filter(file -> !file.toString().contains("pg_wal"))
                    .mapToLong(HistoryFigures::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes all but a week, while a task writes, and says how long its frames took to reach Postgres. */
    private void remove(Ledger ledger, String schema, int tasks) throws IOException {
        StreamWriter writer =
                await(ledger.frames().create(StreamId.task(UUID.randomUUID().toString())));
        var longest = new AtomicLong();
        var enough = new AtomicBoolean();
        Thread appending = Thread.ofPlatform().start(() -> {
            while (!enough.get()) {
                long began = System.nanoTime();
                await(writer.append(nowMs, new TaskNotice("n", "frame")));
                await(ledger.drained());
                longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            }
        });
        long began = System.nanoTime();
        LedgerRetention.Outcome outcome;
        try {
            outcome = ledger.retention()
                    .run(new LedgerLimits(Duration.ofDays(KEPT_DAYS), Long.MAX_VALUE), LedgerHolds.NONE);
        } finally {
            enough.set(true);
            join(appending);
        }
        double seconds = millisSince(began) / 1e3;
        System.out.printf(
                "removed %s in %.1f s; a frame reached Postgres within %.0f ms meanwhile%n",
                outcome.removals(), seconds, longest.get() / 1e6);
        PgConnection connection = await(PgConnection.connect(vertx, postgres.connectOptions()));
        // Files of dropped tables are given back at the next checkpoint.
        await(connection.query("CHECKPOINT").execute());
        await(connection.close());
        sizes(schema, tasks);
    }
}
