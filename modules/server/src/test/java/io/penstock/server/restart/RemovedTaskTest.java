package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks of another day are removed at a start, unless they are pinned; requests for a removed one say so. */
@Tag("server")
class RemovedTaskTest {

    private static final String[] OPTIONS = {"--port", "0", "--auth", "off", "--keep-tasks-days", "1"};

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void oldTasksAreGoneWithTheirOutputsAndPinnedOnesStay() throws Exception {
        List<String> tasks = PastServer.ended(data, 2, 3, "in-use");
        String removed = tasks.getFirst();
        String pinned = tasks.getLast();
        try (ServerProcess server =
                ServerProcess.ready(data, "--port", "0", "--auth", "off", "--keep-tasks-days", "30")) {
            assertEquals(204, pin(server, "PUT", pinned));
            assertEquals(204, pin(server, "PUT", pinned));
            assertTrue(new JsonObject(server.get("/tasks/" + pinned).body()).getBoolean("pinned"));
            assertFalse(new JsonObject(server.get("/tasks/" + removed).body()).getBoolean("pinned"));
            assertEquals(404, pin(server, "PUT", "nobody"));
            try (var client = new TaskClient(server)) {
                client.ended(client.spawn(TaskClient.bash("true").put("origin_session_id", "in-use")));
            }
            server.signal("TERM");
            server.exitCode();
        }
        output(removed);
        output(pinned);
        try (ServerProcess server = ServerProcess.ready(data, OPTIONS)) {
            server.until("1 tasks and 0 sessions were removed (kept for long enough)");
            server.until("1 outputs of removed tasks");
            for (String path : new String[] {"", "/events?until=end", "/output", "/screen", "/policy", "?wait=1000"}) {
                HttpResponse<String> answer = server.get("/tasks/" + removed + path);
                assertEquals(410, answer.statusCode(), path);
                JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
                assertEquals("TASK_GONE", error.getString("code"), path);
                assertTrue(error.getString("message").endsWith("because tasks are kept for 1 days"), error::encode);
            }
            assertEquals(410, pin(server, "PUT", removed));
            assertEquals(2, new JsonArray(server.get("/tasks").body()).size());
            JsonArray items = new JsonObject(
                            server.get("/sessions/in-use/mailbox?snippet=true").body())
                    .getJsonArray("items");
            assertEquals(3, items.size());
            assertEquals(removed, items.getJsonObject(0).getString("task_id"));
            assertNull(items.getJsonObject(0).getString("snippet"));
            assertTrue(new JsonObject(server.get("/tasks/" + pinned).body()).getBoolean("pinned"));
            assertEquals(404, server.get("/tasks/nobody").statusCode());
            assertEquals(204, pin(server, "DELETE", pinned));
            server.signal("TERM");
            server.exitCode();
        }
        assertEquals(0, files(removed));
        assertEquals(1, files(pinned));
        try (ServerProcess server = ServerProcess.ready(data, OPTIONS)) {
            server.until("1 tasks and 0 sessions were removed");
            assertEquals(410, server.get("/tasks/" + pinned).statusCode());
            JsonObject retention = new JsonObject(server.get("/retention").body());
            assertEquals(1, retention.getInteger("keep_tasks_days"));
            assertNull(retention.getString("failed"));
            assertEquals(2, retention.getJsonArray("removals").size());
            assertEquals(
                    "age", retention.getJsonArray("removals").getJsonObject(0).getString("reason"));
            assertTrue(server.get("/metrics").body().contains("penstock_removed_tasks_total 1.0"));
        }
    }

    @Test
    void webhookOfARemovedSessionServesTheNextOneOfItsName() throws Exception {
        PastServer.ended(data, 1, 3, "old");
        try (ServerProcess server = ServerProcess.ready(data, OPTIONS)) {
            server.until("1 tasks and 1 sessions were removed");
            assertEquals(410, server.get("/sessions/old/webhook").statusCode());
            server.signal("TERM");
            server.exitCode();
        }
        var ownersOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path file = Files.createDirectory(data.resolve("webhooks"), ownersOnly).resolve("old.json");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                "{\"session_id\":\"old\",\"url\":\"http://127.0.0.1:9/\",\"actor\":\"user:local\",\"rule\":\"local\"}");
        try (ServerProcess server = ServerProcess.ready(data, OPTIONS)) {
            HttpResponse<String> webhook = server.get("/sessions/old/webhook");
            while (webhook.statusCode() == 410) {
                webhook = server.get("/sessions/old/webhook");
            }
            assertEquals("http://127.0.0.1:9", new JsonObject(webhook.body()).getString("target"));
        }
    }

    @Test
    void wrongLimitIsRefused() {
        try (ServerProcess server = ServerProcess.begin(data, "--keep-ledger-gib", "0")) {
            assertEquals(2, server.exitCode());
            assertEquals(
                    "penstock: --keep-ledger-gib is more than 0 and at most 1048576, not 0.0",
                    server.said().getLast());
        }
    }

    private static int pin(ServerProcess server, String method, String task) {
        return server.send(method, "/tasks/" + task + "/pin").statusCode();
    }

    /** As if the task had written something. */
    private void output(String task) throws IOException {
        Path file = new ArtifactFiles(data.resolve("artifacts")).bytes(task + ".pty");
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "kept");
    }

    private long files(String task) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("artifacts"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(task))
                    .count();
        }
    }
}
