package io.penstock.server.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outputs are removed when their time is over, at a start and every hour; their record stays. */
@Tag("server")
class RemovedOutputTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void anOutputWhoseTimeIsOverIsRemovedAndEveryoneWhoAsksIsToldSo() {
        String task;
        List<JsonObject> recorded;
        JsonObject before;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            HttpResponse<String> spawned =
                    server.post("/tasks", "{\"tool\": \"bash\", \"args\": {\"command\": \"echo kept; echo too >&2\"}}");
            task = new JsonObject(spawned.body()).getString("task_id");
            before = new JsonObject(server.get("/tasks/" + task + "?wait=20000").body());
            assertEquals("exited", before.getString("status"));
            assertEquals(
                    "kept\n", server.get("/tasks/" + task + "/output/stdout").body());
            recorded = deltas(server.get("/tasks/" + task + "/events?until=end").body()).stream()
                    .map(RemovedOutputTest::withoutText)
                    .toList();
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--keep-days", "0")) {
            // The removal runs during the start and is logged when it is done.
            server.until("2 outputs with 0 MiB were removed");
            assertEquals(before, new JsonObject(server.get("/tasks/" + task).body()));
            String sentence = "The output stdout of the task " + task + " was removed";
            for (String path : List.of(
                    "/tasks/" + task + "/output",
                    "/tasks/" + task + "/output/stdout",
                    "/tasks/" + task + "/output/stdout?lines=1-2",
                    "/artifacts/" + task + ".stdout")) {
                HttpResponse<String> answer = server.get(path);
                assertEquals(410, answer.statusCode(), path);
                JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
                assertEquals("ARTIFACT_GONE", error.getString("code"));
                assertTrue(error.getString("message").startsWith(sentence), error::encode);
                assertTrue(
                        error.getString("message")
                                .contains("the task ended at " + Instant.ofEpochMilli(before.getLong("ended_at_ms"))),
                        error::encode);
            }
            String events = server.get("/tasks/" + task + "/events?until=end").body();
            List<JsonObject> deltas = deltas(events);
            assertEquals(2, deltas.size());
            assertEquals(
                    recorded,
                    deltas.stream().map(RemovedOutputTest::withoutText).toList());
            for (JsonObject delta : deltas) {
                assertEquals("", delta.getString("chunk"));
                assertTrue(delta.getBoolean("chunk_truncated"));
                assertTrue(delta.getJsonObject("artifacts").getJsonObject("log").getBoolean("removed"));
            }
            assertEquals(
                    2,
                    events.lines()
                            .filter(line -> line.startsWith(": this output was removed"))
                            .count());
            assertFalse(server.get("/tasks/" + task + "/output?stream=stderr")
                    .body()
                    .contains("too"));
        }
    }

    private static List<JsonObject> deltas(String events) {
        return events.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> new JsonObject(line.substring(6)))
                .filter(frame -> frame.getString("type").equals("tool_task_output_delta"))
                .toList();
    }

    /** All frames of the task. */
    private static JsonObject withoutText(JsonObject delta) {
        JsonObject recorded = delta.copy();
        recorded.getJsonObject("artifacts").getJsonObject("log").remove("removed");
        List.of("chunk", "chunk_bytes", "chunk_truncated").forEach(recorded::remove);
        return recorded;
    }

    @Test
    void theScreensOfATerminalGoWithItsOutput() {
        String task;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.terminal("echo kept"));
            client.ended(task);
            assertEquals(200, client.get("/tasks/" + task + "/screen").statusCode());
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--keep-days", "0")) {
            server.until("1 outputs with 0 MiB were removed");
            for (String path : List.of("/screen", "/screen?at_seq=3", "/screen?format=text", "/recording.cast")) {
                HttpResponse<String> answer = server.get("/tasks/" + task + path);
                assertEquals(410, answer.statusCode(), path);
                JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
                assertEquals("ARTIFACT_GONE", error.getString("code"));
                assertTrue(
                        error.getString("message").startsWith("The output of the task " + task + " has been removed"),
                        error::encode);
            }
            var failed = assertThrows(
                    AssertionError.class,
                    () -> Attached.json(server, task, "screen=0").close());
            var rejected = assertInstanceOf(UpgradeRejectedException.class, failed.getCause());
            assertEquals(410, rejected.getStatus());
            assertTrue(rejected.getBody().toString().contains("ARTIFACT_GONE"));
        }
    }

    @Test
    void aTimeBelowNothingIsRefused() {
        try (ServerProcess server = ServerProcess.begin(data, "--keep-days", "-1")) {
            assertTrue(server.exitCode() != 0);
            assertEquals(
                    "penstock: --keep-days is 0 or more, not -1", server.said().getLast());
        }
    }
}
