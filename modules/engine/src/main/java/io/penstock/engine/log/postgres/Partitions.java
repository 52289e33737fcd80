package io.penstock.engine.log.postgres;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the ledger, one per day (counted from 1970), created before their first row and dropped by
 * retention. Creating one is one statement, so it may run on a pipelined connection between others; dropping
 * blocks.
 */
public final class Partitions {

    /** The bits for the streams of one day in a stream's number; the day is above them. */
    public static final int STREAM_NO_DAY_SHIFT = 40;

    private static final Logger log = LoggerFactory.getLogger(Partitions.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private Partitions() {}

    /** The days since 1970 that fit into a stream's number and a partition's name. */
    private static void requireDay(int day) {
        if (day < 0 || day >= 1 << 22) {
            throw new IllegalArgumentException("day is " + day + " and must be from 0 to " + ((1 << 22) - 1));
        }
    }

    public static Future<Void> ensureFrameDay(SqlClient client, int day) {
        return run(client, "ensure_frame_day", day, firstStreamNo(day), firstStreamNo(day + 1L));
    }

    public static Future<Void> ensureIdempotencyDay(SqlClient client, int day) {
        return run(client, "ensure_idempotency_day", day, day, day + 1L);
    }

    /** Drops the keys claimed before this day. Returns the dropped days; a day in use is left for the next time. */
    public static List<Integer> dropIdempotencyBefore(SqlClient client, int day) {
        return dropBefore(client, "idempotency", "drop_idempotency_day", day);
    }

    public static Future<List<Integer>> days(SqlClient client, String table) {
        return client.preparedQuery(Sql.named("list_partitions"))
                .execute(Tuple.of(table))
                .map(rows -> rows.stream().map(row -> row.getInteger("day")).toList());
    }

    public static long firstStreamNo(long day) {
        return day << STREAM_NO_DAY_SHIFT;
    }

    private static List<Integer> dropBefore(SqlClient client, String table, String statement, int limit) {
        var dropped = new ArrayList<Integer>();
        for (int day : days(client, table).await()) {
            if (day < limit && drop(client, statement, day)) {
                dropped.add(day);
            }
        }
        return dropped;
    }

    private static boolean drop(SqlClient client, String statement, int day) {
        try {
            run(client, statement, day, firstStreamNo(day), firstStreamNo(day + 1L))
                    .await();
            return true;
        } catch (PgException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.getSqlState())) {
                throw e;
            }
            log.info("Day {} is in use and will be dropped later", day);
            return false;
        }
    }

    /** Table names cannot be parameters; only numbers are inserted. */
    private static Future<Void> run(SqlClient client, String statement, int day, long from, long to) {
        requireDay(day);
        String text = Sql.named(statement)
                .replace("{day}", Integer.toString(day))
                .replace("{from}", Long.toString(from))
                .replace("{to}", Long.toString(to));
        return client.query(text).execute().mapEmpty();
    }
}
