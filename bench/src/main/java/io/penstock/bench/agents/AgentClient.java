package io.penstock.bench.agents;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.spawn.SpawnClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client of the task tools, in a session of its own. */
record AgentClient(SpawnClient http, String session) {

    AgentClient(LoadedServer server, String session) {
        this(new SpawnClient(server.address(), server.token()), session);
    }

    String spawn(String prompt) throws IOException {
        return call("task_spawn", new JsonObject().put("task", prompt)).getString("task_id");
    }

    String command(String command) throws IOException {
        return call("task_spawn", new JsonObject().put("task", "a command").put("command", command))
                .getString("task_id");
    }

    /** Returns when the task has ended as it should. */
    void join(String task) throws IOException {
        JsonObject joined =
                call("task_join", new JsonObject().put("task_id", task).put("timeout_ms", 600_000));
        if (!"completed".equals(joined.getString("status"))) {
            throw new IOException("a task did not complete: " + joined.encode());
        }
    }

    void kill(String task) throws IOException {
        call("task_kill", new JsonObject().put("task_id", task));
    }

    long endedAtMs(String task) throws IOException {
        return http.get("/tasks/" + task).getLong("ended_at_ms");
    }

    /** How long the agent worked on its turn, by the record. */
    double secondsOfTurn(String task) throws IOException {
        List<Long> times = new ArrayList<>();
        http.lines("/tasks/" + task + "/events?until=end", line -> {
            if (line.contains("\"type\":\"task_turn_")) {
                times.add(new JsonObject(line.substring(line.indexOf('{'))).getLong("timestamp_ms"));
            }
            return true;
        });
        return (times.getLast() - times.getFirst()) / 1e3;
    }

    /** Returns when the task has an event of this type. */
    void await(String task, String type) throws IOException {
        http.lines("/tasks/" + task + "/events", line -> !line.contains("\"type\":\"" + type + "\""));
    }

    private JsonObject call(String tool, JsonObject parameters) throws IOException {
        return http.post(
                "/tools/" + tool,
                parameters.put("session_id", session).encode().getBytes(StandardCharsets.UTF_8),
                HttpURLConnection.HTTP_OK);
    }
}
