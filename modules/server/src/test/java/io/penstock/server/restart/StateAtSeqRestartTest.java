package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.FrameJson;
import io.penstock.frames.TaskState;
import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state at seq N stays the same after the server that computed it is gone. */
@Tag("CURSOR_NEVER_EXPIRES")
@Tag("server")
class StateAtSeqRestartTest {

    private final Path folder = ServerProcess.folder();
    private final Path data = folder.resolve("data");

    @AfterEach
    void deleteFolder() {
        ServerProcess.delete(folder);
    }

    @Test
    void everyStateIsTheSameAfterARestart() throws Exception {
        String task;
        List<JsonObject> before;
        try (var server = ServerProcess.ready(data, "--port", "0")) {
            String token = Files.readString(data.resolve("token")).strip();
            JsonObject spawned = new JsonObject(server.post(
                            data,
                            "/tasks",
                            "{\"tool\": \"bash\", \"args\": {\"command\": \"for i in 1 2 3; do echo $i; sleep 0.02; done; exit 3\"}}",
                            "first")
                    .body());
            task = spawned.getString("task_id");
            server.get("/tasks/" + task + "?wait=20000", token);
            before = states(server, token, task);
            server.signal("KILL");
        }
        try (var server = ServerProcess.ready(data, "--port", "0")) {
            String token = Files.readString(data.resolve("token")).strip();
            assertEquals(before, states(server, token, task));
            TaskState state = TaskState.ABSENT;
            for (String line : server.get("/tasks/" + task + "/events?until=end", token)
                    .body()
                    .split("\n")) {
                if (line.startsWith("data: ")) {
                    state = state.after(FrameJson.parse(line.substring("data: ".length())));
                    JsonObject told = before.get((int) state.nextSeq() - 1);
                    assertEquals(state.nextSeq(), told.getLong("next_seq"));
                    assertEquals(state.phase().wireName(), told.getString("phase"));
                }
            }
            assertEquals(before.size(), state.nextSeq());
            String beyond = server.get("/tasks/" + task + "?at_seq=" + before.size(), token)
                    .body();
            assertTrue(
                    beyond.contains("has no frame " + before.size() + "; its last is " + (before.size() - 1)), beyond);
        }
    }

    private static List<JsonObject> states(ServerProcess server, String token, String task) {
        int next = new JsonObject(server.get("/tasks/" + task, token).body()).getInteger("next_seq");
        var states = new ArrayList<JsonObject>();
        for (int seq = 0; seq < next; seq++) {
            states.add(new JsonObject(
                    server.get("/tasks/" + task + "?at_seq=" + seq, token).body()));
        }
        return states;
    }
}
