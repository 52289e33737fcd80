package io.penstock.engine.log.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;

/** The properties of a Postgres server that the ledger depends on, as the server reports them. */
record ServerFacts(int versionNumber, String version, String encoding, String database, boolean standby) {

    static final int OLDEST_MAJOR = 14;

    static Future<ServerFacts> of(SqlClient client) {
        return client.query(Sql.named("server_facts"))
                .execute()
                .map(rows -> of(rows.iterator().next()));
    }

    private static ServerFacts of(Row row) {
        return new ServerFacts(
                row.getInteger("version_number"),
                row.getString("version"),
                row.getString("encoding"),
                row.getString("database"),
                row.getBoolean("standby"));
    }

    /** Why the server is unsuitable for the ledger. */
    Optional<String> complaint() {
        if (versionNumber / 10000 < OLDEST_MAJOR) {
            return Optional.of("is version " + version + ", and Penstock needs " + OLDEST_MAJOR + " or newer");
        }
        if (!encoding.equals("UTF8")) {
            return Optional.of(
                    "has its database '" + database + "' in the encoding " + encoding
                            + ", and Penstock needs UTF8: create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
        }
        if (standby) {
            return Optional.of("is a standby, which cannot be written to: name its primary");
        }
        return Optional.empty();
    }
}
