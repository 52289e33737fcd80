package io.penstock.bench.spawn;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client of the tool shell, in a session of its own. */
record ShellClient(SpawnClient http, String session) {

    /** Starts a run of {@code echo}, polls until it has ended, and has read its output. */
    void runOne() throws IOException {
        String run = spawn("echo hello");
        var output = new StringBuilder();
        long since = 0;
        JsonObject state;
        do {
            state = poll(run, since, 50_000);
            since = state.getLong("next_seq");
            JsonArray items = state.getJsonArray("items");
            for (int i = 0; i < items.size(); i++) {
                JsonObject item = items.getJsonObject(i);
                if (item.getString("type").equals("stdout")) {
                    output.append(item.getString("payload"));
                }
            }
        } while (state.getString("finished_at") == null);
        if (!output.toString().equals("hello\n")) {
            throw new IOException("a run did not write hello, but \"" + output + "\": " + state);
        }
    }

    String spawn(String command) throws IOException {
        return call(new JsonObject()
                        .put("action", "spawn")
                        .put("command", command)
                        .put("session_id", session))
                .getString("run_id");
    }

    JsonObject poll(String run, long since, long waitMs) throws IOException {
        return call(new JsonObject()
                .put("action", "poll")
                .put("run_id", run)
                .put("since_seq", since)
                .put("wait_ms", waitMs));
    }

    void kill(String run) throws IOException {
        call(new JsonObject().put("action", "kill").put("run_id", run));
    }

    /** Runs a command in a task to its end; returns the seconds that it ran, by its own record. */
    double seconds(String command, String mode, JsonArray watch) throws IOException {
        var task = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("watch", watch)
                .put("args", new JsonObject().put("command", command).put("artifact_max_bytes", 1 << 30));
        String id =
                http.post("/tasks", bytes(task), HttpURLConnection.HTTP_CREATED).getString("task_id");
        JsonObject state;
        do {
            state = http.get("/tasks/" + id + "?wait=50000");
        } while (state.getLong("ended_at_ms") == null);
        if (!"succeeded".equals(state.getString("outcome"))) {
            throw new IOException(String.format(Locale.ROOT, "%s: %s", command, state.encode()));
        }
        return (state.getLong("ended_at_ms") - state.getLong("started_at_ms")) / 1e3;
    }

    private JsonObject call(JsonObject parameters) throws IOException {
        return http.post("/tools/shell", bytes(parameters), HttpURLConnection.HTTP_OK);
    }

    private static byte[] bytes(JsonObject json) {
        return json.encode().getBytes(StandardCharsets.UTF_8);
    }
}
