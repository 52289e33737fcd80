package io.penstock.engine.log.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Postgres that was found fit for the ledger, with its schema up to date. What connects through here sees the
 * schema's tables under their plain names.
 */
public final class Database {

    public static final String SCHEMA = "penstock";

    /** A host that drops packets would otherwise hold a start for minutes. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

    /** The drain's statement must be prepared once, and not at every group. */
    private static final int CACHED_STATEMENT_CHARACTERS = 16 * 1024;

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Pool pool;

    private Database(Vertx vertx, PgConnectOptions options, int poolSize) {
        this.vertx = vertx;
        this.options = options;
        this.pool = PgBuilder.pool()
                .with(new PoolOptions()
                        .setMaxSize(poolSize)
                        .setConnectionTimeout((int) CONNECT_WITHIN.toSeconds())
                        .setConnectionTimeoutUnit(TimeUnit.SECONDS))
                .connectingTo(options)
                .using(vertx)
                .build();
    }

    /**
     * Connects, looks whether the server will do, and migrates. Fails with {@link PostgresUnavailable}.
     *
     * @param schema lower-case letters, digits and underscores; {@link #SCHEMA} but in tests
     * @param poolSize connections for reads, at most
     */
    public static Future<Database> open(Vertx vertx, PgConnectOptions options, String schema, int poolSize) {
        return open(vertx, options, schema, poolSize, Migrations.brought(), CONNECT_WITHIN);
    }

    static Future<Database> open(
            Vertx vertx,
            PgConnectOptions given,
            String schema,
            int poolSize,
            List<Migrations.Step> steps,
            Duration connectWithin) {
        if (!schema.matches("[a-z_][a-z0-9_]{0,50}")) {
            throw new IllegalArgumentException(
                    "schema is '" + schema + "' and must be of lower-case letters, digits and underscores, 51 at most");
        }
        PgConnectOptions options = new PgConnectOptions(given)
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(CACHED_STATEMENT_CHARACTERS)
                .addProperty("search_path", schema)
                .addProperty("application_name", "penstock");
        return PgConnection.connect(vertx, options)
                // A server that accepts and then says nothing is not told by the timeout of the connect alone.
                .timeout(connectWithin.toMillis(), TimeUnit.MILLISECONDS)
                .compose(connection -> fit(connection, options, connectWithin)
                        .compose(fit -> Migrations.of(steps, schema).apply(connection))
                        .eventually(connection::close))
                .map(migrated -> new Database(vertx, options, poolSize))
                .recover(failure -> Future.failedFuture(Unreachable.because(failure, place(options))));
    }

    private static Future<Void> fit(PgConnection connection, PgConnectOptions options, Duration within) {
        return ServerFacts.of(connection)
                .timeout(within.toMillis(), TimeUnit.MILLISECONDS)
                .compose(facts -> facts.complaint()
                        .map(complaint -> Future.<Void>failedFuture(
                                new PostgresUnavailable("Postgres at " + place(options) + " " + complaint + ".")))
                        .orElseGet(Future::succeededFuture));
    }

    private static String place(PgConnectOptions options) {
        return options.getHost().startsWith("/") ? options.getHost() : options.getHost() + ":" + options.getPort();
    }

    /** For reads, several at once; its statements are not pipelined. */
    public Pool pool() {
        return pool;
    }

    /**
     * A connection of one's own, on which so many statements may be under way at once, in order. The caller closes it,
     * and asks for another when it breaks.
     */
    public Future<PgConnection> connect(int pipelined) {
        return PgConnection.connect(vertx, new PgConnectOptions(options).setPipeliningLimit(pipelined))
                .timeout(CONNECT_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(Unreachable.because(failure, place(options))));
    }

    public Future<Void> close() {
        return pool.close();
    }
}
