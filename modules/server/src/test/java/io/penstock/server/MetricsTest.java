package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code /metrics}: its figures agree with the events. */
@Tag("server")
class MetricsTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void countsWhatTasksDidInABoundedNumberOfSeries() throws IOException {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(401, server.get("/metrics").statusCode());
            String token = Files.readString(data.resolve("token")).strip();
            var before = ofTasks(series(server, token));
            for (int i = 0; i < 5; i++) {
                run(server, token, "printf 12345678; exit " + (i == 0 ? 3 : 0));
            }
            List<String> after = series(server, token);
            // An end is seen before it is counted.
            while (value(after, "penstock_tasks_unfinished") > 0) {
                after = series(server, token);
            }
            assertEquals(4, value(after, "penstock_tasks_ended_total{outcome=\"succeeded\"}"));
            assertEquals(1, value(after, "penstock_tasks_ended_total{outcome=\"nonzero\"}"));
            assertEquals(0, value(after, "penstock_tasks_ended_total{outcome=\"lost\"}"));
            assertEquals(0, value(after, "penstock_tasks_queued"));
            assertEquals(40, value(after, "penstock_output_bytes_total{stream=\"stdout\"}"));
            assertEquals(5, value(after, "penstock_frames_total{type=\"tool_task_spawned\"}"));
            assertEquals(5, value(after, "penstock_task_run_seconds_count"));
            assertEquals(5, value(after, "penstock_task_start_seconds_count"));
            assertEquals(1, value(after, "penstock_database_up"));
            assertEquals(1, value(after, "penstock_log_up"));
            assertEquals(5, value(after, "penstock_http_requests_total{method=\"POST\",status=\"2xx\"}"));
            assertTrue(value(after, "penstock_http_connections") >= 1);
            assertTrue(value(after, "jvm_threads_live_threads") > 1);
            assertEquals(before, ofTasks(after));
        }
    }

    private void run(ServerProcess server, String token, String command) {
        var body = new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", command));
        var spawned = server.post(data, "/tasks", body.encode(), command + System.nanoTime());
        assertEquals(201, spawned.statusCode(), spawned.body());
        String task = new JsonObject(spawned.body()).getString("task_id");
        var ended = server.get("/tasks/" + task + "?wait=20000", token);
        assertEquals("exited", new JsonObject(ended.body()).getString("status"));
    }

    private static List<String> series(ServerProcess server, String token) {
        var answer = server.get("/metrics", token);
        assertEquals(200, answer.statusCode());
        assertTrue(answer.headers().firstValue("content-type").orElse("").startsWith("text/plain"));
        return answer.body().lines().filter(line -> !line.startsWith("#")).toList();
    }

    /** The names and labels of task metrics: those of requests and of the JVM appear with their first event. */
    private static List<String> ofTasks(List<String> series) {
        return series.stream()
                .filter(line -> line.startsWith("penstock_") && !line.startsWith("penstock_http_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .sorted()
                .toList();
    }

    private static double value(List<String> series, String name) {
        String line = series.stream()
                .filter(each -> each.startsWith(name + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + series));
        return Double.parseDouble(line.substring(name.length() + 1));
    }
}
