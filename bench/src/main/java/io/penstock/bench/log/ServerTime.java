package io.penstock.bench.log;

import static io.penstock.bench.log.BenchPostgres.await;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * The processor time of a statement in the server's own process. Unlike frames per second, it hardly depends on other
 * load, so it can distinguish two statements where nothing else can.
 */
final class ServerTime {

    private final Path schedule;
    private final long atFirst;

    private ServerTime(int pid) {
        this.schedule = Path.of("/proc", Integer.toString(pid), "schedstat");
        this.atFirst = nanos();
    }

    static ServerTime of(SqlClient connection) {
        return new ServerTime(pid(connection, "SELECT pg_backend_pid()").orElseThrow());
    }

    /** For the connection that drains a ledger, found by its statement. */
    static ServerTime ofDrain(SqlClient anyOther) {
        return new ServerTime(pid(
                        anyOther,
                        "SELECT pid FROM pg_stat_activity WHERE query LIKE 'WITH mine AS%' AND pid <> pg_backend_pid()")
                .orElseThrow());
    }

    private static OptionalInt pid(SqlClient client, String query) {
        for (Row row : await(client.query(query).execute())) {
            return OptionalInt.of(row.getInteger(0));
        }
        return OptionalInt.empty();
    }

    /** The time since this object was created. */
    double microsPer(long rows) {
        return (nanos() - atFirst) / 1e3 / rows;
    }

    private long nanos() {
        try {
            return Long.parseLong(Files.readString(schedule).split(" ")[0]);
        } catch (IOException e) {
            throw new IllegalStateException("the server's process is not seen at " + schedule, e);
        }
    }
}
