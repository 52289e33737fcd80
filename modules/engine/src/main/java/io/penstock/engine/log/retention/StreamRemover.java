package io.penstock.engine.log.retention;

import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.engine.log.store.JournaledFrameLog;
import io.penstock.engine.log.store.RemovalReason;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the streams of all days before one, in one transaction: what stays of them is copied into one partition, which takes the place
 * of theirs. So the disk space comes back at once, the cost is that of what stays, and there are never more partitions than days that
 * are kept. Blocks.
 */
final class StreamRemover {

    /** Copied in some milliseconds. */
    private static final int FEW_ROWS = 1_000;

    /** A stream that gets frames as fast as they are copied must not hold up the removal. */
    private static final int COPIES = 5;

    private final PgConnection connection;
    private final JournaledFrameLog log;
    private final LedgerHolds holds;
    private final LedgerLimits limits;
    private final long nowMs;

    StreamRemover(PgConnection connection, JournaledFrameLog log, LedgerHolds holds, LedgerLimits limits, long nowMs) {
        this.connection = connection;
        this.log = log;
        this.holds = holds;
        this.limits = limits;
        this.nowMs = nowMs;
    }

    /** Returns null if nothing was to be removed. */
    @Nullable
    Removal removeBefore(int day, RemovalReason reason) {
        long below = Partitions.firstStreamNo(day);
        boolean dueDays =
                FramePartition.all(connection).stream().anyMatch(each -> each.day() >= 0 && each.before() <= day);
        if (!dueDays
                && !query("has_streams_below", Tuple.of(below))
                        .iterator()
                        .next()
                        .getBoolean("found")) {
            return null;
        }
        Set<Long> written = log.beginRemoval(below);
        try {
            Transaction transaction = connection.begin().await();
            try {
                Removal done = removeBefore(day, below, reason, written);
                if (done == null) {
                    transaction.rollback().await();
                } else {
                    transaction.commit().await();
                }
                return done;
            } catch (Throwable e) {
                transaction.rollback().otherwiseEmpty().await();
                throw e;
            }
        } finally {
            log.endRemoval(below);
        }
    }

    private @Nullable Removal removeBefore(int day, long below, RemovalReason reason, Set<Long> written) {
        long beforeMs = Duration.ofDays(day).toMillis();
        var sessions = new OldSessions(
                        connection, below, beforeMs, nowMs - limits.keep().toMillis())
                .read();
        var tasks = new HashSet<>(sessions.undelivered());
        tasks.addAll(holds.tasks());
        var streams = new HashSet<>(sessions.staying());
        streams.addAll(written);
        execute("create_staying");
        query(
                "fill_staying",
                Tuple.of(below, beforeMs)
                        .addArrayOfString(tasks.toArray(String[]::new))
                        .addArrayOfLong(streams.toArray(Long[]::new)));
        execute("analyze_staying");

        int number = query(
                        "begin_removal",
                        Tuple.of(
                                nowMs,
                                (short) reason.ordinal(),
                                beforeMs,
                                limits.keep().toMillis(),
                                limits.bytes()))
                .iterator()
                .next()
                .getInteger("removal_no");
        Row gone = query("remove_streams", Tuple.of(below, number)).iterator().next();
        List<FramePartition> due = FramePartition.all(connection).stream()
                .filter(each -> each.before() <= day)
                .toList();
        boolean wholeDays = due.stream().anyMatch(each -> each.day() >= 0);
        if (gone.getLong("tasks") + gone.getLong("sessions") == 0 && !wholeDays) {
            return null;
        }
        query("remove_tasks", Tuple.of(below));
        long bytes = due.isEmpty() ? 0 : exchange(due, "frame_k" + day + "_" + number, below, written);
        query("end_removal", Tuple.of(number, gone.getLong("tasks"), gone.getLong("sessions"), bytes));
        return new Removal(nowMs, reason, beforeMs, gone.getLong("tasks"), gone.getLong("sessions"), bytes);
    }

    /** Returns how many bytes less there are. */
    private long exchange(List<FramePartition> due, String kept, long below, Set<Long> written) {
        // Autovacuum stays away from now on; otherwise dropping would wait for it, and everybody for that.
        due.forEach(each -> execute("LOCK TABLE " + each.name() + " IN SHARE UPDATE EXCLUSIVE MODE"));
        boolean anyStay = query("any_staying", Tuple.tuple()).iterator().next().getBoolean("found");
        if (anyStay) {
            execute(named("create_kept", kept, below));
            execute(named("copy_staying", kept, below));
        }
        Tuple newer = Tuple.tuple().addArrayOfLong(written.toArray(Long[]::new));
        if (anyStay && !written.isEmpty()) {
            execute("prefer_indexes");
            // The rows that came while the others were copied, so that little is left to do while writers wait.
            for (int i = 0; i < COPIES && copyNewer(kept, below, newer) > FEW_ROWS; i++) {
                continue;
            }
        }
        execute("lock_frames");
        if (anyStay && !written.isEmpty()) {
            copyNewer(kept, below, newer);
        }
        var names = new ArrayList<String>();
        due.forEach(each -> names.add(each.name()));
        long before = due.stream().mapToLong(FramePartition::bytes).sum();
        execute("DROP TABLE " + String.join(", ", names));
        if (!anyStay) {
            return before;
        }
        execute(named("attach_kept", kept, below));
        execute("ALTER TABLE " + kept + " DROP CONSTRAINT below");
        long after = FramePartition.all(connection).stream()
                .filter(each -> each.name().equals(kept))
                .mapToLong(FramePartition::bytes)
                .sum();
        return Math.max(0, before - after);
    }

    /** Returns how many frames it has copied. */
    private int copyNewer(String kept, long below, Tuple written) {
        return connection
                .preparedQuery(named("copy_newer", kept, below))
                .execute(written)
                .await()
                .rowCount();
    }

    /** Names and bounds cannot be parameters; only numbers are inserted. */
    private static String named(String statement, String kept, long below) {
        return Sql.named(statement).replace("{kept}", kept).replace("{below}", Long.toString(below));
    }

    /** A statement without parameters, or the name of one. */
    private void execute(String statement) {
        String text = statement.indexOf(' ') < 0 ? Sql.named(statement) : statement;
        connection.query(text).execute().await();
    }

    private RowSet<Row> query(String statement, Tuple parameters) {
        return connection
                .preparedQuery(Sql.named(statement))
                .execute(parameters)
                .await();
    }
}
