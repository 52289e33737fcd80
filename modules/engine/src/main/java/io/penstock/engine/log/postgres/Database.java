package io.penstock.engine.log.postgres;

import io.penstock.engine.log.BlockingSteps;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
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

    /** The drain's statement is to be prepared once, not for every group. */
    private static final int CACHED_STATEMENT_CHARACTERS = 16 * 1024;

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Pool pool;

    /** Separate from the other connections, which may all be in use. */
    private final Pool pulsePool;

    private @Nullable Future<?> pulse;

    private Database(Vertx vertx, PgConnectOptions options, int poolSize) {
        this.vertx = vertx;
        this.options = options;
        this.pool = pool(vertx, options, poolSize);
        this.pulsePool = pool(vertx, options, 1);
    }

    private static Pool pool(Vertx vertx, PgConnectOptions options, int poolSize) {
        return PgBuilder.pool()
                .with(new PoolOptions()
                        .setMaxSize(poolSize)
                        .setConnectionTimeout((int) CONNECT_WITHIN.toSeconds())
                        .setConnectionTimeoutUnit(TimeUnit.SECONDS))
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
            Duration connectWithin) {
        if (!schema.matches("[a-z_][a-z0-9_]{0,50}")) {
            throw new IllegalArgumentException("schema is '" + schema
                    + "' and must consist of at most 51 lower-case letters, digits and underscores");
        }
        PgConnectOptions options = new PgConnectOptions(given)
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(CACHED_STATEMENT_CHARACTERS)
                .addProperty("search_path", schema)
                .addProperty("application_name", "penstock");
        return BlockingSteps.run(() -> {
            try {
                checkAndMigrate(vertx, options, Migrations.of(steps, schema), connectWithin);
                return new Database(vertx, options, poolSize);
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

    private static String place(PgConnectOptions options) {
        return options.getHost().startsWith("/") ? options.getHost() : options.getHost() + ":" + options.getPort();
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
                .timeout(CONNECT_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(Unreachable.because(failure, place(options))));
    }

    public Future<Void> close() {
        return pool.close().eventually(pulsePool::close);
    }
}
