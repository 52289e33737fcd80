package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** An edge with the tool shell, and the calls of its clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
abstract class ShellTestBed {

    RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    String spawn(String command) {
        return spawn(command, false);
    }

    String spawn(String command, boolean pty) {
        return shell(new JsonObject()
                        .put("action", "spawn")
                        .put("command", command)
                        .put("pty", pty)
                        .put("session_id", "t" + System.nanoTime())
                        .encode())
                .getString("run_id");
    }

    String spawn(String command, String session) {
        return shell(new JsonObject()
                        .put("action", "spawn")
                        .put("command", command)
                        .put("session_id", session)
                        .encode())
                .getString("run_id");
    }

    void kill(String run) {
        shell("{\"action\":\"kill\",\"run_id\":\"" + run + "\"}");
    }

    static String pollCall(String run, long since, long waitMs) {
        return new JsonObject()
                .put("action", "poll")
                .put("run_id", run)
                .put("since_seq", since)
                .put("wait_ms", waitMs)
                .encode();
    }

    JsonObject poll(String run, long since, long waitMs) {
        return shell(pollCall(run, since, waitMs));
    }

    JsonObject ended(String run) {
        return ended(run, 0);
    }

    /** Polls until the run has ended; the answer has all items since the cursor. */
    JsonObject ended(String run, long since) {
        long seen = since;
        JsonObject answer = poll(run, seen, 20_000);
        while (answer.getValue("finished_at") == null) {
            seen = answer.getLong("next_seq");
            answer = poll(run, seen, 20_000);
        }
        return poll(run, since, 0);
    }

    JsonObject shell(String body) {
        return json(edge.post("/tools/shell", body));
    }

    static JsonObject json(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    void assertRefused(String body, int status) {
        HttpResponse<String> answer = edge.post("/tools/shell", body);
        assertEquals(status, answer.statusCode(), body + ": " + answer.body());
    }

    static List<JsonObject> items(JsonObject page) {
        return page.getJsonArray("items").stream().map(JsonObject.class::cast).toList();
    }

    static String text(List<JsonObject> items, String type) {
        var text = new StringBuilder();
        for (JsonObject item : items) {
            if (type.equals(item.getString("type"))) {
                text.append(item.getString("payload"));
            }
        }
        return text.toString();
    }

    /** @param stream the only output; null for all items */
    JsonObject log(String run, long since, int limit, @Nullable String stream) {
        var call = new JsonObject()
                .put("action", "log")
                .put("run_id", run)
                .put("since_seq", since)
                .put("limit", limit);
        return shell((stream == null ? call : call.put("stream", stream)).encode());
    }
}
