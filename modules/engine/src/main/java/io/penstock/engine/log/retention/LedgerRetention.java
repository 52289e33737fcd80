package io.penstock.engine.log.retention;

import io.penstock.engine.log.drain.NodeClaim;
import io.penstock.engine.log.drain.StreamNumbers;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.engine.log.store.JournaledFrameLog;
import io.penstock.engine.log.store.LedgerReads;
import io.penstock.engine.log.store.RemovalReason;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the ledger in the database within its limits, and answers what it has removed. All of it blocks. */
public final class LedgerRetention {

    private static final Logger log = LoggerFactory.getLogger(LedgerRetention.class);

    /** After this time, a removed id is as unknown as one that never existed. */
    private static final Duration REMEMBERED = Duration.ofDays(365);

    /** Eight bytes each. */
    private static final long REMEMBERED_IDS = 10_000_000;

    /** Tables of this size are copied in seconds, during which nobody lists tasks and the drain waits. */
    private static final long COMPACTED_BYTES = 64L << 20;

    /** What one pass did. */
    public record Outcome(List<Removal> removals, long bytes) {
        public Outcome {
            removals = List.copyOf(removals);
        }
    }

    private final Database database;
    private final JournaledFrameLog frames;
    private final NodeClaim node;
    private final LedgerReads reads;
    private final LongSupplier clockMs;

    public LedgerRetention(
            Database database, JournaledFrameLog frames, LedgerReads reads, NodeClaim node, LongSupplier clockMs) {
        this.database = database;
        this.reads = reads;
        this.frames = frames;
        this.node = node;
        this.clockMs = clockMs;
    }

    /** Removes what is older or more than the limits, except for what must stay. The current day stays whole. */
    public synchronized Outcome run(LedgerLimits limits, LedgerHolds holds) {
        long now = clockMs.getAsLong();
        int today = StreamNumbers.dayOfMillis(now);
        PgConnection connection = database.connect(1).await();
        try {
            requireNode(connection);
            var remover = new StreamRemover(connection, frames, holds, limits, now);
            var removals = new ArrayList<Removal>();
            int day =
                    StreamNumbers.dayOfMillis(now - Math.min(now, limits.keep().toMillis()));
            if (day > 0) {
                add(removals, remover.removeBefore(day, RemovalReason.AGE));
            }
            LedgerSize size = LedgerSize.of(connection);
            while (size.bytes() > limits.bytes()) {
                day = size.dayToFit(limits.bytes(), day, today);
                if (day < 0) {
                    break;
                }
                add(removals, remover.removeBefore(day, RemovalReason.SIZE));
                size = LedgerSize.of(connection);
            }
            if (!removals.isEmpty()) {
                forget(connection, now);
                reclaim(connection, size);
            }
            return new Outcome(removals, size.bytes());
        } finally {
            connection.close().otherwiseEmpty().await();
        }
    }

    private static void add(List<Removal> removals, @Nullable Removal done) {
        if (done != null) {
            removals.add(done);
        }
    }

    /** A process that has taken over this node's place knows streams that this one does not. */
    private void requireNode(PgConnection connection) {
        int rows = connection
                .preparedQuery(Sql.named("node_position"))
                .execute(Tuple.of(node.nodeNo(), node.epoch()))
                .await()
                .size();
        if (rows == 0) {
            throw new IllegalStateException("another Penstock has taken over this node's place in the database");
        }
    }

    private static void forget(PgConnection connection, long now) {
        connection
                .preparedQuery(Sql.named("forget_removals"))
                .execute(Tuple.of(now - REMEMBERED.toMillis(), REMEMBERED_IDS))
                .await();
    }

    /** Makes the space of removed rows usable, and gives it back to the disk where hardly anything is left. */
    private static void reclaim(PgConnection connection, LedgerSize size) {
        try {
            connection.query("SET lock_timeout = '1s'").execute().await();
            String how = size.isSparse(COMPACTED_BYTES) ? "VACUUM (FULL, ANALYZE) " : "VACUUM (ANALYZE) ";
            connection.query(how + "task").execute().await();
            connection.query(how + "stream").execute().await();
        } catch (RuntimeException e) {
            log.info("The space of removed rows is reclaimed later: {}", e.getMessage());
        }
    }

    /** The newest removals. */
    public Future<List<Removal>> newest(int limit) {
        return reads.query("list_removals", Tuple.of(limit))
                .map(rows -> rows.stream().map(LedgerRetention::removal).toList());
    }

    private static Removal removal(Row row) {
        return new Removal(
                row.getLong("at_ms"),
                RemovalReason.values()[row.getShort("reason")],
                row.getLong("before_ms"),
                row.getLong("tasks"),
                row.getLong("sessions"),
                row.getLong("bytes"));
    }

    /** The ids of the tasks that are pinned. */
    public Set<String> pinned() {
        var pinned = new HashSet<String>();
        database.pool()
                .query(Sql.named("pinned_tasks"))
                .execute()
                .await()
                .forEach(row -> pinned.add(row.getString("task_id")));
        return pinned;
    }

    /** Those of the tasks that were removed. */
    public Set<String> removed(List<String> taskIds) {
        var removed = new HashSet<String>();
        database.pool()
                .preparedQuery(Sql.named("removed_tasks"))
                .execute(Tuple.tuple().addArrayOfString(taskIds.toArray(String[]::new)))
                .await()
                .forEach(row -> removed.add(row.getString("task_id")));
        return removed;
    }
}
