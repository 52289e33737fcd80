package io.penstock.engine.log;

import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
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

/** A connection on which groups go to Postgres, one behind the other. Used on one context. */
final class DrainLine {

    private static final Logger log = LoggerFactory.getLogger(DrainLine.class);

    private final PgConnection connection;
    private final NodeClaim node;
    private final long answerWithinMs;
    private final long position;

    // Of this connection only: a group may fail for want of a partition that retention has dropped since it was made,
    // and
    // then the next connection makes it again.
    private final Set<Integer> frameDays = new HashSet<>();
    private final Set<Integer> keyDays = new HashSet<>();

    private DrainLine(PgConnection connection, NodeClaim node, long answerWithinMs, long position) {
        this.connection = connection;
        this.node = node;
        this.answerWithinMs = answerWithinMs;
        this.position = position;
    }

    /**
     * Connects, and asks how far the database is; fails with {@code NODE_FENCED} if it is another's by now.
     *
     * @param groups that may be under way at once
     * @param answerWithinMs since a server that vanished together with its network never closes the connection
     */
    static Future<DrainLine> open(Database database, NodeClaim node, int groups, long answerWithinMs) {
        // Each group may have the making of two partitions in front of it.
        return database.connect(3 * groups)
                .compose(connection -> connection
                        .preparedQuery(Sql.named("node_position"))
                        .execute(Tuple.of(node.nodeNo(), node.epoch()))
                        .timeout(answerWithinMs, TimeUnit.MILLISECONDS)
                        .compose(rows -> rows.size() == 0
                                ? Future.failedFuture(fenced())
                                : Future.succeededFuture(new DrainLine(
                                        connection,
                                        node,
                                        answerWithinMs,
                                        rows.iterator().next().getLong("drained"))))
                        .onFailure(e -> connection.close()));
    }

    private static Failure fenced() {
        return new Failure(
                FailureCode.NODE_FENCED,
                "Another Penstock has taken over this node's place in the database; this one has stopped writing. Was its"
                        + " data directory copied?");
    }

    /** How far the database was when the line was opened. */
    long position() {
        return position;
    }

    void whenLost(Runnable listener) {
        // What the server says as it goes down; that it has gone is what counts, and the close tells it.
        connection.exceptionHandler(e -> log.debug("Postgres says: {}", e.getMessage()));
        connection.closeHandler(v -> listener.run());
    }

    /** Completes with what the database made of the group. */
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
                .map(DrainLine::written);
    }

    /**
     * What became of a group.
     *
     * @param done false where the database is not at the group's start: then nothing of it was written
     * @param refused numbers of new streams whose names others have; they are kept under names that nobody finds
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
