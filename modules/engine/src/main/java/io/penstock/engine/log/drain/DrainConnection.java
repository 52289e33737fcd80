package io.penstock.engine.log.drain;

import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that sends groups to Postgres one after the other. Used on one context. */
final class DrainConnection {

    private static final Logger log = LoggerFactory.getLogger(DrainConnection.class);

    private final PgConnection connection;
    private final NodeClaim node;
    private final long answerWithinMs;
    private final long position;

    // For this connection only: if retention has dropped a partition since it was created, the group fails, and the
    // next connection creates the partition again.
    private final Set<Integer> frameDays = new HashSet<>();
    private final Set<Integer> keyDays = new HashSet<>();

    private DrainConnection(PgConnection connection, NodeClaim node, long answerWithinMs, long position) {
        this.connection = connection;
        this.node = node;
        this.answerWithinMs = answerWithinMs;
        this.position = position;
    }

    /**
     * Connects and reads the drained position from the database; fails with {@code NODE_FENCED} if another process has
     * claimed the node.
     *
     * @param groups the maximum number of groups in flight
     * @param answerWithinMs the timeout of a statement, since a server that vanished with its network never closes the
     * connection
     */
    static Future<DrainConnection> open(Database database, NodeClaim node, int groups, long answerWithinMs) {
        // Each group may be preceded by the creation of two partitions.
        return database.connect(3 * groups)
                .compose(connection -> drained(connection, node)
                        .timeout(answerWithinMs, TimeUnit.MILLISECONDS)
                        .map(drained -> new DrainConnection(connection, node, answerWithinMs, drained))
                        .onFailure(e -> connection.close()));
    }

    /** The drained position; fails if another process has claimed the node. */
    private static Future<Long> drained(PgConnection connection, NodeClaim node) {
        return connection
                .preparedQuery(Sql.named("node_position"))
                .execute(Tuple.of(node.nodeNo(), node.epoch()))
                .compose(rows -> rows.size() == 0
                        ? Future.failedFuture(fenced())
                        : Future.succeededFuture(rows.iterator().next().getLong("drained")));
    }

    /** Calls the listener once another process has claimed this node, perhaps several times. */
    void whenClaimed(Handler<Failure> listener) {
        // Every start of a server in this database notifies.
        connection.notificationHandler(claim -> checkClaim(listener));
        // A claim before this is not notified.
        connection.query("LISTEN penstock_claims").execute().onSuccess(listening -> checkClaim(listener));
    }

    /** Other failures are those of the connection, which reports its loss. */
    private void checkClaim(Handler<Failure> listener) {
        drained(connection, node).onFailure(e -> {
            if (e instanceof Failure fenced) {
                listener.handle(fenced);
            }
        });
    }

    private static Failure fenced() {
        return new Failure(
                FailureCode.NODE_FENCED,
                "Another Penstock has taken over this node's place in the database; this one has stopped writing. Was its"
                        + " data directory copied?");
    }

    /** The drained position in the database when the connection was opened. */
    long position() {
        return position;
    }

    void whenLost(Runnable listener) {
        // Server notices during a shutdown do not matter; the close handler reports the loss.
        connection.exceptionHandler(e -> log.debug("Postgres says: {}", e.getMessage()));
        connection.closeHandler(v -> listener.run());
    }

    /** Completes with the result in the database. */
    Future<Written> send(DrainGroup group) {
        for (int day : group.frameDays()) {
            if (frameDays.add(day)) {
                Partitions.ensureFrameDay(connection, day);
            }
        }
        for (int day : group.keyDays()) {
            if (keyDays.add(day)) {
                Partitions.ensureIdempotencyDay(connection, day);
            }
        }
        return connection
                .preparedQuery(Sql.named("append_group"))
                .execute(group.parameters(node))
                .timeout(answerWithinMs, TimeUnit.MILLISECONDS)
                .map(DrainConnection::written);
    }

    /**
     * The result of writing a group.
     *
     * @param done false if the database is not at the group's start: then nothing of it was written
     * @param refused numbers of new streams whose names are taken; they are stored under names that no query finds
     */
    record Written(boolean done, List<Long> refused) {}

    private static Written written(RowSet<Row> rows) {
        Row row = rows.iterator().next();
        Long[] refused = row.getArrayOfLongs("refused");
        return new Written(row.getInteger("written") == 1, refused == null ? List.of() : List.of(refused));
    }

    Future<Void> close() {
        return connection.close();
    }
}
