package io.penstock.engine.ledger;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.once.AnswerUntilKilled;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.engine.log.postgres.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A schema belongs to the server of one data directory while that server lives. */
@Tag("long")
class SchemaHoldTest {

    private static final String HOLDERS =
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
                    + " AND classid::bigint = (hashtext('penstock servers of ' || $1::text)::bigint & 4294967295)";

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final LedgerFolder other = new LedgerFolder();
    private final PgConnection admin =
            await(PgConnection.connect(vertx, TestDatabase.postgres().connectOptions()));

    @AfterEach
    void close() {
        await(admin.close());
        await(vertx.close());
        folder.close();
        other.close();
    }

    private LedgerSettings strangers() {
        return other.settings().withSchema(folder.schema);
    }

    /** The Postgres processes of the connections that hold the schema. */
    private List<Integer> holders() {
        return await(admin.preparedQuery(HOLDERS).execute(Tuple.of(folder.schema))).stream()
                .map(row -> row.getInteger("pid"))
                .toList();
    }

    private void assertRefused() {
        Throwable refused = TestDatabase.failure(Ledger.open(vertx, strangers()));
        assertEquals(PostgresUnavailable.class, refused.getClass(), refused::toString);
        assertTrue(String.valueOf(refused.getMessage()).contains("is used by another Penstock"), refused::toString);
    }

    @Test
    void otherDirectoryIsRefusedWhileTheServerLives() throws IOException {
        Ledger ledger = folder.open(vertx);
        assertRefused();
        assertTrue(Files.notExists(other.folder.resolve("journal")), "a journal was made");
        assertEquals(
                1,
                await(admin.query("SELECT count(*) FROM " + folder.schema + ".node")
                                .execute())
                        .iterator()
                        .next()
                        .getLong(0));
        await(ledger.close());
        await(await(Ledger.open(vertx, strangers())).close());
    }

    @Test
    void serverGetsTheSchemaBackAfterItsConnectionsBroke() {
        Ledger ledger = folder.open(vertx);
        List<Integer> killed = holders();
        await(admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND application_name = 'penstock'")
                .execute());
        // A killed process releases the lock some time later.
        while (killed.containsAll(holders())) {
            Thread.onSpinWait();
        }
        assertRefused();
        await(ledger.drained());
        await(ledger.close());
    }

    @Test
    void schemaIsFreeOnceItsServerWasKilled() throws Exception {
        PgConnectOptions database = TestDatabase.postgres().connectOptions();
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AnswerUntilKilled.class.getName(),
                        folder.settings().journal().toString(),
                        database.getHost(),
                        Integer.toString(database.getPort()),
                        database.getUser(),
                        database.getDatabase(),
                        folder.schema,
                        "round",
                        database.getPassword())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = killed.inputReader()) {
            assertNotNull(said.readLine());
            assertRefused();
        } finally {
            killed.destroyForcibly().waitFor();
        }
        await(await(Ledger.open(vertx, strangers())).close());
    }

    @Test
    void sameDirectoryNeedNotWaitForTheOldConnection() {
        await(folder.open(vertx).close());
        PgConnection left = await(PgConnection.connect(
                vertx, TestDatabase.postgres().connectOptions().addProperty("search_path", folder.schema)));
        String id = await(left.query("SELECT node_id::text FROM node").execute())
                .iterator()
                .next()
                .getString(0);
        await(left.query("SELECT pg_advisory_lock_shared(hashtext('penstock servers of " + folder.schema + "'), "
                        + UUID.fromString(id).hashCode() + ")")
                .execute());
        Ledger ledger = folder.open(vertx);
        assertEquals(2, holders().size());
        await(ledger.close());
        assertRefused();
        await(left.close());
    }
}
