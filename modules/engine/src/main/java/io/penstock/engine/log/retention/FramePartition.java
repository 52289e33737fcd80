package io.penstock.engine.log.retention;

import io.penstock.engine.log.postgres.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.List;

/**
 * A partition of the table of frames.
 *
 * @param day the day on which its streams were born; -1 for what stays of earlier days
 * @param before the first day of which it has nothing
 */
record FramePartition(String name, int day, int before, long bytes) {

    /** The oldest first. Blocks. */
    static List<FramePartition> all(SqlClient client) {
        return client.query(Sql.named("frame_partitions")).execute().await().stream()
                .map(FramePartition::of)
                .toList();
    }

    private static FramePartition of(Row row) {
        Integer day = row.getInteger("day");
        return day == null
                ? new FramePartition(row.getString("name"), -1, row.getInteger("kept_before"), row.getLong("bytes"))
                : new FramePartition(row.getString("name"), day, day + 1, row.getLong("bytes"));
    }
}
