package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code --spawner}: tasks run over HTTP with either spawner, and the server prints how they are contained. */
@Tag("server")
class SpawnerOptionTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void tasksRunWithPty4jToo() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--spawner", "pty4j")) {
            assertTrue(
                    server.saidSoFar().stream()
                            .anyMatch(line -> line.startsWith("Only the process tree of each task is known")),
                    () -> server.saidSoFar().toString());
            JsonObject pipes = ended(server, spawn(server, "echo out; echo err >&2; exit 3", "pipes"));
            assertEquals(3, pipes.getInteger("exit_code"));
            String task = pipes.getString("task_id");
            assertEquals(
                    "out\n", server.get("/tasks/" + task + "/output/stdout").body());
            assertEquals(
                    "err\n", server.get("/tasks/" + task + "/output/stderr").body());

            String terminal = spawn(server, "read line; echo got $line; sleep 600", "pty");
            awaitRunning(server, terminal);
            String typed = Base64.getEncoder().encodeToString("hello\r".getBytes(StandardCharsets.UTF_8));
            assertEquals(
                    202,
                    server.post("/tasks/" + terminal + "/stdin", "{\"chunk_b64\":\"" + typed + "\"}")
                            .statusCode());
            assertEquals(
                    202,
                    server.post("/tasks/" + terminal + "/resize", "{\"rows\":40,\"cols\":100}")
                            .statusCode());
            assertEquals(
                    202, server.post("/tasks/" + terminal + "/cancel", "{}").statusCode());
            assertEquals("cancelled", ended(server, terminal).getString("status"));
            String first =
                    server.get("/tasks/" + terminal + "/events?until=end").body();
            assertTrue(first.contains("\"containment\":\"descendants\""), first);
        }
    }

    @Test
    void theUsualOneSaysWhatReachesWhatATaskStarts() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--spawner", "native")) {
            List<String> said = server.saidSoFar();
            assertTrue(said.stream().anyMatch(line -> line.startsWith("Each task has its own ")), said::toString);
            String task = spawn(server, "true", "pipes");
            ended(server, task);
            boolean cgroup = said.stream().anyMatch(line -> line.startsWith("Each task has its own cgroup"));
            boolean adoption = said.stream().anyMatch(line -> line.contains("orphans are adopted"));
            String level = cgroup ? "cgroup" : adoption ? "adoption" : "session";
            String events = server.get("/tasks/" + task + "/events?until=end").body();
            assertTrue(events.contains("\"containment\":\"" + level + "\""), events);
        }
    }

    @Test
    void anotherSpawnerIsRefusedBeforeAnythingIsDone() {
        try (ServerProcess server = ServerProcess.begin(data.resolve("never"), "--spawner", "docker")) {
            assertEquals(2, server.exitCode());
            assertEquals(List.of("penstock: --spawner is native or pty4j, not \"docker\""), server.said());
        }
    }

    private static String spawn(ServerProcess server, String command, String mode) {
        var body = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("args", new JsonObject().put("command", command));
        var answer = server.post("/tasks", body.encode());
        assertEquals(201, answer.statusCode(), answer.body());
        return new JsonObject(answer.body()).getString("task_id");
    }

    private static JsonObject ended(ServerProcess server, String task) {
        return new JsonObject(server.get("/tasks/" + task + "?wait=20000").body());
    }

    /** Its events up to the one that says so. */
    private static void awaitRunning(ServerProcess server, String task) {
        try (var client = new TaskClient(server)) {
            client.until(task, frame -> "running".equals(frame.getString("phase")));
        }
    }
}
