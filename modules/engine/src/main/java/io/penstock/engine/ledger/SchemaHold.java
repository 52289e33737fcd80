package io.penstock.engine.ledger;

import io.penstock.engine.log.Rollback;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.engine.log.postgres.Sql;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps servers of other data directories away from a schema: they would list this server's tasks with a wrong state.
 * It is a Postgres lock, held by a connection while the server lives and released with the connection, so a killed
 * server leaves nothing behind. A server of the same data directory, or of a copy of it, is not kept away: its claim of
 * the node fences this one.
 */
final class SchemaHold {

    private static final Logger log = LoggerFactory.getLogger(SchemaHold.class);

    /** Postgres takes a moment to notice that a killed server's connection has ended. */
    private static final Duration OTHER_ENDS_WITHIN = Duration.ofSeconds(3);

    private static final long RETRY_MS = 100;
    private static final long REGAIN_AFTER_MS = 500;

    /**
     * Within half a minute, Postgres releases the lock of a server whose machine has vanished. No effect on a Unix
     * socket.
     */
    private static final String KEEPALIVE =
            "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";

    private final Vertx vertx;
    private final Database database;
    private final String schema;
    private final int node;
    private @Nullable PgConnection connection;
    private boolean released;

    private SchemaHold(Vertx vertx, Database database, String schema, UUID node) {
        this.vertx = vertx;
        this.database = database;
        this.schema = schema;
        this.node = node.hashCode();
    }

    /** Blocks. Fails with {@link PostgresUnavailable} if a server of another data directory is running. */
    static SchemaHold acquire(Vertx vertx, Database database, String schema, UUID node) throws PostgresUnavailable {
        var hold = new SchemaHold(vertx, database, schema, node);
        try (var rollback = new Rollback()) {
            PgConnection connection = rollback.add(database.connect(1).await(), PgConnection::close);
            hold.acquire(connection);
            rollback.cancel();
            hold.watch(connection);
            return hold;
        }
    }

    private void acquire(PgConnection connection) throws PostgresUnavailable {
        long until = System.nanoTime() + OTHER_ENDS_WITHIN.toNanos();
        Optional<String> otherHolder = tryAcquire(connection);
        while (otherHolder.isPresent()) {
            if (System.nanoTime() >= until) {
                throw new PostgresUnavailable(refusal(otherHolder.get()));
            }
            vertx.timer(RETRY_MS).await();
            otherHolder = tryAcquire(connection);
        }
    }

    /**
     * Returns the other holder if there is one. It is one transaction, so that of two servers that start together the second sees
     * the first.
     */
    private Optional<String> tryAcquire(PgConnection connection) {
        Transaction transaction = connection.begin().await();
        Optional<String> otherHolder;
        try {
            connection.query("SET LOCAL lock_timeout = '60s'").execute().await();
            connection
                    .preparedQuery(Sql.named("lock_schema"))
                    .execute(Tuple.of(schema))
                    .await();
            otherHolder = otherHolder(connection).await();
            if (otherHolder.isEmpty()) {
                hold(connection).await();
            }
        } catch (Throwable e) {
            transaction.rollback().otherwiseEmpty().await();
            throw e;
        }
        transaction.commit().await();
        return otherHolder;
    }

    private Future<RowSet<Row>> hold(PgConnection connection) {
        return connection
                .query(KEEPALIVE)
                .execute()
                .compose(set ->
                        connection.preparedQuery(Sql.named("hold_schema")).execute(Tuple.of(schema, node)));
    }

    /** The address of another data directory's server that holds the schema, if there is one. */
    private Future<Optional<String>> otherHolder(PgConnection connection) {
        return connection
                .preparedQuery(Sql.named("other_holders"))
                .execute(Tuple.of(schema, (long) node))
                .map(rows -> {
                    if (rows.size() == 0) {
                        return Optional.empty();
                    }
                    String address = rows.iterator().next().getString("address");
                    return Optional.of(address == null ? "on the database's machine" : "at " + address);
                });
    }

    private String refusal(String where) {
        return "The schema '" + schema + "' of this database is used by another Penstock, " + where
                + ", with another data directory: stop that one, or give this one a database of its own.";
    }

    private synchronized void watch(PgConnection hold) {
        if (released) {
            hold.close();
            return;
        }
        connection = hold;
        hold.closeHandler(closed -> regain());
    }

    /** Postgres was unavailable. This server continues whatever happened meanwhile, since its tasks are running. */
    private synchronized void regain() {
        connection = null;
        if (released) {
            return;
        }
        vertx.timer(REGAIN_AFTER_MS)
                .compose(elapsed -> database.connect(1))
                .compose(reopened -> hold(reopened)
                        .compose(hold -> otherHolder(reopened))
                        .map(otherHolder -> {
                            otherHolder.ifPresent(where -> log.error("{}", refusal(where)));
                            return reopened;
                        })
                        .onFailure(e -> reopened.close()))
                .onSuccess(this::watch)
                .onFailure(e -> regain());
    }

    Future<Void> release() {
        PgConnection hold;
        synchronized (this) {
            released = true;
            hold = connection;
        }
        return hold == null ? Future.succeededFuture() : hold.close();
    }
}
