package io.penstock.engine.log.postgres;

import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The numbered steps that create the schema, each applied once, in its own transaction, which takes the lock anew: of
 * two processes that migrate at the same time, each finds what the other has done.
 */
final class Migrations {

    record Migration(int version, String name, String text, String checksum) {
        Migration {
            if (version < 1) {
                throw new IllegalArgumentException(
                        "migration " + name + " has the number " + version + ", not 1 or more");
            }
        }

        static Migration of(String file, String text) {
            return new Migration(Integer.parseInt(file.substring(0, 4)), file, text, sha256(text));
        }
    }

    private final List<Migration> steps;
    private final String schema;

    private Migrations(List<Migration> steps, String schema) {
        this.steps = steps;
        this.schema = schema;
    }

    static Migrations of(List<Migration> steps, String schema) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).version() != i + 1) {
                throw new IllegalArgumentException(
                        "migration " + steps.get(i).name() + " stands at place " + (i + 1) + " of the list");
            }
        }
        return new Migrations(List.copyOf(steps), schema);
    }

    /** The migrations bundled with this program, in list order. */
    static List<Migration> bundled() {
        var steps = new ArrayList<Migration>();
        for (String file : Sql.text("migrations/index.txt").lines().toList()) {
            steps.add(Migration.of(file, Sql.text("migrations/" + file)));
        }
        return steps;
    }

    /** Brings the schema up to this program's version. Blocks; the connection's search_path must be that schema. */
    void apply(PgConnection connection) throws PostgresUnavailable {
        boolean more = true;
        while (more) {
            Transaction transaction = connection.begin().await();
            try {
                more = applyNext(connection);
            } catch (Throwable e) {
                transaction.rollback().otherwiseEmpty().await();
                throw e;
            }
            transaction.commit().await();
        }
    }

    /** Returns whether there was a migration to apply. */
    private boolean applyNext(PgConnection connection) throws PostgresUnavailable {
        connection.query("SET LOCAL lock_timeout = '60s'").execute().await();
        connection
                .preparedQuery(Sql.named("lock_schema"))
                .execute(Tuple.of(schema))
                .await();
        connection.query(prelude()).execute().await();
        RowSet<Row> applied =
                connection.query(Sql.named("applied_migrations")).execute().await();
        check(applied);
        if (applied.size() == steps.size()) {
            return false;
        }
        Migration next = steps.get(applied.size());
        connection.query(next.text()).execute().await();
        connection
                .preparedQuery(Sql.named("record_migration"))
                .execute(Tuple.of(next.version(), next.name(), next.checksum()))
                .await();
        return true;
    }

    /** Schema names cannot be parameters; {@link Database} accepts only plain lower-case names. */
    private String prelude() {
        return Sql.named("create_schema").replace("{schema}", schema);
    }

    private void check(RowSet<Row> applied) throws PostgresUnavailable {
        if (applied.size() > steps.size()) {
            throw new PostgresUnavailable("The schema '" + schema + "' is at version " + applied.size()
                    + " and this Penstock knows versions up to " + steps.size()
                    + ": run a newer Penstock, or another schema or database.");
        }
        for (Row row : applied) {
            Migration step = steps.get(row.getInteger("version") - 1);
            if (!step.checksum().equals(row.getString("checksum"))) {
                throw new PostgresUnavailable("The schema '" + schema + "' was made by another " + step.name()
                        + " than this Penstock brings: run the Penstock that made it, or another schema or database.");
            }
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
