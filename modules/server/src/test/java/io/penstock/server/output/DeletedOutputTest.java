package io.penstock.server.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An output can be deleted over HTTP once its task has ended; its record stays. */
@Tag("server")
class DeletedOutputTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void deletedOutputsAreGoneForGoodAndSaySo() throws Exception {
        String task;
        JsonObject before;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash("echo kept; echo too >&2"));
            before = client.ended(task);
            assertEquals(204, client.delete("/tasks/" + task + "/output/stdout").statusCode());
            assertEquals(204, client.delete("/tasks/" + task + "/output/stdout").statusCode());
            assertGone(client, task, "stdout");
            assertEquals(List.of(task + ".stderr.bytes", task + ".stderr.seal", task + ".stdout.deleted"), files(task));
            assertEquals(
                    "too\n", client.get("/tasks/" + task + "/output/stderr").body());
            assertEquals(before, client.status(task));
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            assertGone(client, task, "stdout");
            assertEquals(204, client.delete("/tasks/" + task + "/output/stdout").statusCode());
            assertEquals(before, client.status(task));
        }
    }

    private static void assertGone(TaskClient client, String task, String stream) {
        for (String path : List.of(
                "/tasks/" + task + "/output?stream=" + stream,
                "/tasks/" + task + "/output/" + stream,
                "/tasks/" + task + "/output/" + stream + "?lines=1-2",
                "/artifacts/" + task + "." + stream)) {
            HttpResponse<String> answer = client.get(path);
            assertEquals(410, answer.statusCode(), path);
            JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
            assertEquals("ARTIFACT_GONE", error.getString("code"));
            String message = error.getString("message");
            assertTrue(
                    message.startsWith("The output " + stream + " of the task " + task + " was deleted at 2"), message);
            assertTrue(message.contains(" by user:"), message);
        }
        List<JsonObject> deltas = client.events(task).stream()
                .filter(frame -> frame.getString("type").equals("tool_task_output_delta"))
                .filter(frame -> frame.getString("stream").equals(stream))
                .toList();
        assertEquals(1, deltas.size());
        assertEquals("", deltas.getFirst().getString("chunk"));
        JsonObject log = deltas.getFirst().getJsonObject("artifacts").getJsonObject("log");
        assertTrue(log.getBoolean("removed"));
        assertEquals(task + "." + stream, log.getString("id"));
    }

    private List<String> files(String task) throws IOException {
        try (Stream<Path> all = Files.walk(data.resolve("artifacts"))) {
            return all.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(task))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void screensThatAreReadyGoWithTheOutput() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            String task = client.spawn(TaskClient.terminal("seq 100000"));
            client.ended(task);
            assertEquals(200, client.get("/tasks/" + task + "/screen").statusCode());
            assertEquals(204, client.delete("/tasks/" + task + "/output/pty").statusCode());
            for (String path : List.of("/screen", "/screen?at_seq=3", "/screen?format=text", "/recording.cast")) {
                HttpResponse<String> answer = client.get("/tasks/" + task + path);
                assertEquals(410, answer.statusCode(), path);
                String message =
                        new JsonObject(answer.body()).getJsonObject("error").getString("message");
                assertTrue(message.startsWith("The output of the task " + task + " was deleted at 2"), message);
            }
            assertEquals(List.of(task + ".pty.deleted"), files(task));
        }
    }

    @Test
    void onlyOutputsOfEndedTasksAreDeleted() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            String task = client.spawn(TaskClient.bash("echo kept; read line").put("stdin", "open"));
            String output = "/tasks/" + task + "/output/stdout";
            HttpResponse<String> refused = client.delete(output);
            assertEquals(409, refused.statusCode(), refused.body());
            JsonObject error = new JsonObject(refused.body()).getJsonObject("error");
            assertEquals("TASK_NOT_READY", error.getString("code"));
            assertTrue(error.getBoolean("retryable"));
            client.type(task, "go\n");
            client.ended(task);
            assertEquals("kept\n", client.get(output).body());
            assertEquals(400, client.delete("/tasks/" + task + "/output/pty").statusCode());
            assertEquals(404, client.delete("/tasks/nobody/output/stdout").statusCode());
            assertEquals(204, client.delete("/tasks/" + task + "/output/stderr").statusCode());
            assertEquals(410, client.get("/tasks/" + task + "/output/stderr").statusCode());
        }
    }
}
