package io.penstock.engine.log.postgres;

import io.penstock.engine.log.BlockingSteps;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres that is suitable for the ledger, with its schema up to date. Connections made here see the schema's tables
 * under their plain names.
 */
public final class Database {

    public static final String SCHEMA = "penstock";

    /** A host that drops packets would otherwise delay a start for minutes. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

    /**
     * By a Unix socket, no packet is lost, and the kernel ends the connection when Postgres ends. So a Postgres that does not
     * answer is slow, as on an overloaded machine; only after this time it hangs.
     */
    private static final Duration LOCALLY_WITHIN = Duration.ofMinutes(5);

    /** The drain's statement is to be prepared once, not for every group. */
    private static final int CACHED_STATEMENT_CHARACTERS = 16 * 1024;

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Duration connectWithin;
    private final Pool pool;

    /** Separate from the other connections, which may all be in use. */
    private final Pool pulsePool;

    private @Nullable Future<?> pulse;

    private Database(
            Vertx vertx, PgConnectOptions options, int poolSize, Duration connectWithin, Duration poolConnectsWithin) {
        this.vertx = vertx;
        this.options = options;
        this.connectWithin = connectWithin;
        this.pool = pool(vertx, options, poolSize, poolConnectsWithin);
        this.pulsePool = pool(vertx, options, 1, poolConnectsWithin);
    }

    private static Pool pool(Vertx vertx, PgConnectOptions options, int poolSize, Duration connectWithin) {
        return PgBuilder.pool()
                .with(new PoolOptions()
                        .setMaxSize(poolSize)
                        .setConnectionTimeout((int) connectWithin.toMillis())
                        .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS))
                .connectingTo(options)
                .using(vertx)
                .build();
    }

    /**
     * Connects, checks the server, and migrates. Fails with {@link PostgresUnavailable}.
     *
     * @param schema lower-case letters, digits and underscores; {@link #SCHEMA} except in tests
     * @param poolSize maximum number of connections for reads
     */
    public static Future<Database> open(Vertx vertx, PgConnectOptions options, String schema, int poolSize) {
        return open(vertx, options, schema, poolSize, Migrations.bundled(), CONNECT_WITHIN);
    }

    static Future<Database> open(
            Vertx vertx,
            PgConnectOptions given,
            String schema,
            int poolSize,
            List<Migrations.Migration> steps,
            Duration hostConnectsWithin) {
        if (!schema.matches("[a-z_][a-z0-9_]{0,50}")) {
            throw new IllegalArgumentException("schema is '" + schema
                    + "' and must consist of at most 51 lower-case letters, digits and underscores");
        }
        PgConnectOptions options = new PgConnectOptions(given)
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(CACHED_STATEMENT_CHARACTERS)
                .addProperty("search_path", schema)
                .addProperty("application_name", "penstock");
        Duration connectWithin = isLocal(options) ? LOCALLY_WITHIN : hostConnectsWithin;
        return BlockingSteps.run(() -> {
            try {
                checkAndMigrate(vertx, options, Migrations.of(steps, schema), connectWithin);
                var database = new Database(vertx, options, poolSize, connectWithin, hostConnectsWithin);
                database.awaitPool();
                return database;
            } catch (Throwable e) {
                throw Unreachable.because(e, place(options));
            }
        });
    }

    private static void checkAndMigrate(
            Vertx vertx, PgConnectOptions options, Migrations migrations, Duration connectWithin)
            throws PostgresUnavailable {
        PgConnection connection = PgConnection.connect(vertx, options)
                // The connect timeout alone does not detect a server that accepts and then does not answer.
                .timeout(connectWithin.toMillis(), TimeUnit.MILLISECONDS)
                .await();
        try {
            Optional<String> complaint = ServerFacts.of(connection)
                    .timeout(connectWithin.toMillis(), TimeUnit.MILLISECONDS)
                    .await()
                    .complaint();
            if (complaint.isPresent()) {
                throw new PostgresUnavailable("Postgres at " + place(options) + " " + complaint.get() + ".");
            }
            migrations.apply(connection);
        } finally {
            connection.close().otherwiseEmpty().await();
        }
    }

    /**
     * So that the statements of the start need no new connection: later, callers wait for one only as long as for a host.
     */
    private void awaitPool() {
        long begin = System.nanoTime();
        while (true) {
            try {
                pool.query("SELECT 1").execute().await();
                return;
            } catch (Throwable e) {
                // If only the pool's time was up, the connection is being made all the same, and is there for the next
                // caller.
                boolean refused = e instanceof PgException || e instanceof IOException;
                if (refused || System.nanoTime() - begin >= connectWithin.toNanos()) {
                    close().otherwiseEmpty().await();
                    throw e;
                }
            }
        }
    }

    private static boolean isLocal(PgConnectOptions options) {
        return options.getHost().startsWith("/");
    }

    private static String place(PgConnectOptions options) {
        return isLocal(options) ? options.getHost() : options.getHost() + ":" + options.getPort();
    }

    /** For concurrent reads; its statements are not pipelined. */
    public Pool pool() {
        return pool;
    }

    /** Completes when Postgres answers a trivial query. Concurrent callers share one query. */
    public synchronized Future<?> pulse() {
        Future<?> running = pulse;
        if (running == null || running.isComplete()) {
            running = pulsePool.query("SELECT 1").execute();
            pulse = running;
        }
        return running;
    }

    /**
     * A dedicated connection that pipelines up to this many statements in order. The caller closes it, and opens
     * another when it breaks.
     */
    public Future<PgConnection> connect(int pipelined) {
        return PgConnection.connect(vertx, new PgConnectOptions(options).setPipeliningLimit(pipelined))
                .timeout(connectWithin.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(Unreachable.because(failure, place(options))));
    }

    public Future<Void> close() {
        return pool.close().eventually(pulsePool::close);
    }
}
