package io.penstock.server.restart;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.server.ServerProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** kill -9 of the server while it removes old tasks: locks in the database hold the removal at one place. */
@Tag("server")
class KilledRemovalTest {

    private static final int TASKS = 40;

    private final Path data = ServerProcess.folder();
    private final Vertx vertx = Vertx.vertx();
    private final Path folder = ServerProcess.folder();
    private EmbeddedPostgres postgres;
    private List<String> tasks = List.of();
    private PgConnection reader;
    private PgConnection watcher;

    @BeforeEach
    void write() throws Exception {
        // One that outlives the server.
        postgres = PastServer.postgres(folder);
        PgConnectOptions database = postgres.connectOptions();
        tasks = PastServer.ended(data, database, TASKS, 3, "old");
        for (String task : tasks) {
            Path file = new ArtifactFiles(data.resolve("artifacts")).bytes(task + ".pty");
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, "written by " + task);
        }
        reader = await(PgConnection.connect(vertx, database));
        watcher = await(PgConnection.connect(vertx, database));
    }

    @AfterEach
    void delete() throws Exception {
        await(vertx.close());
        postgres.stop();
        ServerProcess.delete(folder);
        ServerProcess.delete(data);
    }

    private ServerProcess start() {
        PgConnectOptions database = postgres.connectOptions();
        String url = "postgresql://" + database.getUser() + ":" + database.getPassword() + "@/" + database.getDatabase()
                + "?sslmode=disable&host=" + database.getHost() + "&port=" + database.getPort();
        return ServerProcess.ready(data, "--port", "0", "--auth", "off", "--keep-tasks-days", "1", "--database", url);
    }

    private static void kill(ServerProcess server) {
        server.signal("KILL");
        server.handle().onExit().join();
    }

    /** The removal waits for this, with all its changes made and none committed. */
    private Future<?> read() {
        await(reader.query("BEGIN").execute());
        return reader.query("SELECT count(*) FROM penstock.frame").execute();
    }

    private void untilTheRemovalWaits() {
        long waiting = 0;
        while (waiting == 0) {
            waiting = await(watcher.query("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND query LIKE '%LOCK TABLE ONLY frame%' AND pid <> pg_backend_pid()"
                                    + " AND state = 'active'")
                            .execute())
                    .iterator()
                    .next()
                    .getLong(0);
        }
    }

    @Test
    void removalThatWasNotCommittedHasRemovedNothing() throws Exception {
        await(read());
        try (ServerProcess server = start()) {
            untilTheRemovalWaits();
            assertEquals(TASKS, new JsonArray(server.get("/tasks?limit=100").body()).size());
            kill(server);
        }
        await(reader.query("COMMIT").execute());
        assertEquals(TASKS, outputs());
        try (ServerProcess server = start()) {
            server.until(TASKS + " tasks and 1 sessions were removed (kept for long enough)");
            server.until(TASKS + " outputs of removed tasks were removed");
            checkRemovedOnce(server);
        }
    }

    @Test
    void outputsThatACommittedRemovalHasLeftAreRemovedAtTheNextStart() throws Exception {
        await(read());
        try (ServerProcess server = start()) {
            untilTheRemovalWaits();
            await(watcher.query("BEGIN").execute());
            // Granted when the removal commits; then the server cannot find out whose outputs to remove.
            Future<?> committed = watcher.query("LOCK TABLE penstock.removed_id IN ACCESS EXCLUSIVE MODE")
                    .execute();
            await(reader.query("COMMIT").execute());
            await(committed);
            kill(server);
        }
        await(watcher.query("COMMIT").execute());
        assertEquals(TASKS, outputs());
        // As if it had been killed in the middle of the outputs.
        for (String task : tasks.subList(0, TASKS / 2)) {
            Files.delete(new ArtifactFiles(data.resolve("artifacts")).bytes(task + ".pty"));
        }
        try (ServerProcess server = start()) {
            server.until(TASKS / 2 + " outputs of removed tasks were removed");
            checkRemovedOnce(server);
        }
    }

    private void checkRemovedOnce(ServerProcess server) throws IOException {
        assertEquals("[]", server.get("/tasks?limit=100").body());
        assertEquals("[]", new JsonArray(server.get("/sessions").body()).encode());
        assertEquals(410, server.get("/sessions/old").statusCode());
        for (String task : tasks) {
            assertEquals(410, server.get("/tasks/" + task).statusCode());
            assertEquals(410, server.get("/tasks/" + task + "/output").statusCode());
        }
        assertEquals(0, outputs());
        JsonArray removals = new JsonObject(server.get("/retention").body()).getJsonArray("removals");
        assertEquals(1, removals.size(), removals::encode);
        assertEquals(TASKS, removals.getJsonObject(0).getInteger("tasks"));
        assertTrue(await(watcher.query("SELECT 1 FROM penstock.task UNION ALL SELECT 1 FROM penstock.stream"
                                        + " UNION ALL SELECT 1 FROM penstock.frame")
                                .execute())
                        .size()
                == 0);
    }

    private long outputs() throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("artifacts"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> tasks.stream().anyMatch(file::startsWith))
                    .count();
        }
    }
}
