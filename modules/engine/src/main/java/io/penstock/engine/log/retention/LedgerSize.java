package io.penstock.engine.log.retention;

import io.penstock.engine.log.postgres.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.List;

/**
 * The size of the ledger in the database.
 *
 * @param partitions those of frames, the oldest first
 * @param streams how many tasks and sessions there are
 * @param rowBytes the tables of streams and tasks, which keep the space of removed rows for new ones
 * @param otherBytes idempotency keys, and what is remembered of removed streams
 */
record LedgerSize(List<FramePartition> partitions, long streams, long rowBytes, long otherBytes) {

    /** Bytes of a stream and its task in their tables, indexes included; docs/benchmarks.md has the figure. */
    private static final long BYTES_PER_STREAM = 512;

    LedgerSize {
        partitions = List.copyOf(partitions);
    }

    /** Blocks. */
    static LedgerSize of(SqlClient client) {
        Row other = client.query(Sql.named("ledger_size"))
                .execute()
                .await()
                .iterator()
                .next();
        return new LedgerSize(
                FramePartition.all(client),
                other.getLong("streams"),
                other.getLong("row_bytes"),
                other.getLong("other_bytes"));
    }

    /** Without space that is kept for new rows. */
    long bytes() {
        return frameBytes() + Math.min(rowBytes, streams * BYTES_PER_STREAM) + otherBytes;
    }

    private long frameBytes() {
        return partitions.stream().mapToLong(FramePartition::bytes).sum();
    }

    /** Whether the tables of streams and tasks are mostly empty, and what is left is copied in a moment. */
    boolean isSparse(long mostBytes) {
        long used = streams * BYTES_PER_STREAM;
        return used <= mostBytes && rowBytes > 4 * Math.max(used, 1 << 20);
    }

    /**
     * The day before which all has to be removed so that the rest fits, or as much as there is; a day's share of the streams' rows is that
     * of its frames.
     *
     * @param after later than this one
     * @param today the last that can be the answer
     * @return -1 if no day is left that can be removed
     */
    int dayToFit(long limit, int after, int today) {
        double whole = bytes() / (double) Math.max(1, frameBytes());
        double left = bytes();
        int found = -1;
        for (FramePartition each : partitions) {
            if (each.day() < 0 || each.day() >= today) {
                continue;
            }
            left -= each.bytes() * whole;
            found = each.day() + 1 > after ? each.day() + 1 : found;
            if (left <= limit && found > after) {
                break;
            }
        }
        return found;
    }
}
