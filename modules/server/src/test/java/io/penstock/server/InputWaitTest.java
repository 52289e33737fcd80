package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.penstock.frames.FrameJson;
import io.penstock.frames.TaskState;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state of a program that waits for input, for all clients, and when the server ends first. */
@Tag("server")
class InputWaitTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    private ServerProcess server() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off");
    }

    @Test
    void everybodySeesThatItWaits() {
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            String task = client.spawn(TaskClient.terminal("stty -echo; echo password; read secret; sleep 600"));
            String other = client.spawn(TaskClient.terminal("sleep 600"));
            try (Attached viewer = Attached.json(server, task, "")) {
                List<JsonObject> before = viewer.until(InputWaits::begins);
                JsonObject running =
                        TaskClient.ofType(before, "tool_task_status").getFirst();
                assertEquals(running.getLong("started_at_ms"), before.getLast().getLong("started_at_ms"));
                client.until(other, frame -> "running".equals(frame.getString("phase")));
                assertEquals("awaiting_input", client.status(task).getString("phase"));
                assertEquals("running", client.status(task).getString("status"));
                assertNotNull(client.status(task).getLong("started_at_ms"));
                List<String> phases = List.of(other, task).stream()
                        .map(wanted -> client.listed().stream()
                                .filter(row -> row.getString("task_id").equals(wanted))
                                .findFirst()
                                .orElseThrow()
                                .getString("phase"))
                        .toList();
                assertEquals(List.of("running", "awaiting_input"), phases);
                assertEquals(
                        2, new JsonArray(client.get("/tasks?status=running").body()).size());

                viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "x\r"));
                List<JsonObject> seen = viewer.until(frame -> "running".equals(frame.getString("phase")));
                long typed = TaskClient.ofType(seen, "tool_task_stdin_written")
                        .getFirst()
                        .getLong("seq");
                assertEquals(typed + 1, seen.getLast().getLong("seq"));
            }
            assertEquals("running", client.status(task).getString("phase"));
        }
    }

    @Test
    void whatWaitsWhenTheServerIsKilledIsLost() {
        String task;
        List<JsonObject> seen;
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.terminal("read line"));
            seen = client.untilItWaits(task, 1);
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            assertEquals("lost", client.ended(task).getString("outcome"));
            List<JsonObject> frames = client.events(task);
            assertEquals(seen, frames.subList(0, seen.size()));
            TaskState state = TaskState.fold(frames.stream()
                    .map(frame -> FrameJson.parse(frame.encode()))
                    .toList());
            assertEquals("ended", state.phase().wireName());
        }
    }

    @Test
    void whatWaitsWhenTheServerIsStoppedIsStoppedToo() {
        String task;
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.terminal("read line"));
            client.untilItWaits(task, 1);
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            assertEquals("cancelled", client.ended(task).getString("outcome"));
            assertEquals(
                    List.of("running", "awaiting_input", "ended"),
                    TaskClient.ofType(client.events(task), "tool_task_status").stream()
                            .map(frame -> frame.getString("phase"))
                            .toList());
        }
    }
}
