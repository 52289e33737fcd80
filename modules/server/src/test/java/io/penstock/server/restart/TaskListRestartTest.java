package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers started after tasks ended list them too. */
@Tag("server")
class TaskListRestartTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void tasksAreListedAfterAStopAndAfterAKillAsTheyEnded() throws Exception {
        JsonObject first;
        String second;
        try (ServerProcess server = start()) {
            first = ended(server, spawn(server, "alpha", "s1", "echo hello; exit 3"));
            assertEquals(List.of(first), tasks(server, ""));
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = start()) {
            assertEquals(List.of(first), tasks(server, ""));
            // Before there is a task, whose program would be among the children and outlive the server.
            List<ProcessHandle> postgres = server.handle().descendants().toList();
            second = spawn(server, "beta", "s2", "sleep 60");
            assertEquals(List.of(second), ids(tasks(server, "?session=s2")));
            awaitRunning(server, second);
            server.signal("KILL");
            server.exitCode();
            for (ProcessHandle child : postgres) {
                child.onExit().get(20, TimeUnit.SECONDS);
            }
        }
        try (ServerProcess server = start()) {
            ended(server, second);
            List<JsonObject> all = tasks(server, "");
            assertEquals(List.of(second, first.getString("task_id")), ids(all));
            assertEquals(first, all.getLast());
            assertEquals("lost", all.getFirst().getString("outcome"));
            assertEquals(json(server.get("/tasks/" + second)), all.getFirst());
            assertEquals(List.of(second), ids(tasks(server, "?status=failed")));
            assertEquals(List.of(first), tasks(server, "?session=s1&status=exited&text=ALPH"));
            assertEquals(List.of(), tasks(server, "?session=s1&status=failed"));

            String third = spawn(server, "gamma", "s1", "true");
            HttpResponse<String> page = server.get("/tasks?limit=1");
            assertEquals(third, new JsonArray(page.body()).getJsonObject(0).getString("task_id"));
            String link = page.headers().firstValue("link").orElseThrow();
            HttpResponse<String> rest =
                    server.get(link.substring(1, link.indexOf('>')).replace("limit=1", "limit=200"));
            assertEquals(second, new JsonArray(rest.body()).getJsonObject(0).getString("task_id"));
            assertEquals(first, status(new JsonArray(rest.body()).getJsonObject(1)));
            assertTrue(rest.headers().firstValue("link").isEmpty());
        }
    }

    private ServerProcess start() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off");
    }

    private static String spawn(ServerProcess server, String title, String session, String command) {
        var body = new JsonObject()
                .put("tool", "bash")
                .put("title", title)
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command));
        HttpResponse<String> spawned = server.post("/tasks", body.encode());
        assertEquals(201, spawned.statusCode(), spawned.body());
        return json(spawned).getString("task_id");
    }

    private static void awaitRunning(ServerProcess server, String task) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!json(server.get("/tasks/" + task)).getString("status").equals("running")) {
            assertTrue(System.nanoTime() < deadline, "it did not begin to run within 30 s");
        }
    }

    private static JsonObject ended(ServerProcess server, String task) {
        return json(server.get("/tasks/" + task + "?wait=20000"));
    }

    private static List<JsonObject> tasks(ServerProcess server, String query) {
        HttpResponse<String> answer = server.get("/tasks" + query);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonArray(answer.body())
                .stream().map(row -> status((JsonObject) row)).toList();
    }

    /** The task's status: its row in the list has its last line, too. */
    private static JsonObject status(JsonObject row) {
        JsonObject status = row.copy();
        assertInstanceOf(String.class, status.remove("last_line"));
        return status;
    }

    private static List<String> ids(List<JsonObject> tasks) {
        return tasks.stream().map(task -> task.getString("task_id")).toList();
    }

    private static JsonObject json(HttpResponse<String> answer) {
        return new JsonObject(answer.body());
    }
}
