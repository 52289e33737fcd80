package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.api.Documented;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Calls tools for one session over HTTP, and checks each call and answer against the schemas of the tool. */
record AgentTools(RunningEdge edge, String session, Map<String, JsonObject> schemas) {

    static AgentTools of(RunningEdge edge, String session) {
        Map<String, JsonObject> schemas = new JsonArray(edge.get("/tools").body())
                .stream()
                        .map(JsonObject.class::cast)
                        .collect(Collectors.toConcurrentMap(tool -> tool.getString("name"), tool -> tool));
        return new AgentTools(edge, session, new ConcurrentHashMap<>(schemas));
    }

    AgentTools in(String another) {
        return new AgentTools(edge, another, schemas);
    }

    private JsonObject body(Object... parameters) {
        var body = new JsonObject().put("session_id", session);
        for (int i = 0; i < parameters.length; i += 2) {
            body.put((String) parameters[i], parameters[i + 1]);
        }
        return body;
    }

    JsonObject call(String tool, Object... parameters) {
        JsonObject body = body(parameters);
        HttpResponse<String> answer = edge.post("/tools/" + tool, body.encode());
        assertEquals(200, answer.statusCode(), answer.body());
        var result = new JsonObject(answer.body());
        JsonObject schema = Objects.requireNonNull(schemas.get(tool), tool);
        assertNull(Documented.complaint(schema.getJsonObject("input_schema"), body), body.encode());
        assertNull(Documented.complaint(schema.getJsonObject("output_schema"), result), answer.body());
        return result;
    }

    /** The sentence of the error that the call is answered with. */
    String refused(int status, String tool, Object... parameters) {
        HttpResponse<String> answer =
                edge.post("/tools/" + tool, body(parameters).encode());
        assertEquals(status, answer.statusCode(), answer.body());
        return new JsonObject(answer.body()).getJsonObject("error").getString("message");
    }

    String spawn(String prompt, Object... more) {
        var parameters = new ArrayList<Object>(List.of("task", prompt));
        parameters.addAll(List.of(more));
        return call("task_spawn", parameters.toArray()).getString("task_id");
    }

    JsonObject join(String taskId) {
        return call("task_join", "task_id", taskId);
    }

    JsonObject status(String taskId) {
        List<JsonObject> tasks = list(call("task_status", "task_id", taskId), "tasks");
        assertEquals(1, tasks.size());
        return tasks.getFirst();
    }

    /** A background task with this prompt. */
    String start(String prompt, Object... more) {
        var parameters = new ArrayList<Object>(List.of("description", "a test", "prompt", prompt));
        parameters.addAll(List.of(more));
        return call("background_task", parameters.toArray()).getString("task_id");
    }

    /** The output of one background task. */
    JsonObject output(String id, Object... more) {
        var parameters = new ArrayList<Object>(List.of("task_id", id));
        parameters.addAll(List.of(more));
        List<JsonObject> tasks = list(call("background_output", parameters.toArray()), "tasks");
        assertEquals(1, tasks.size());
        return tasks.getFirst();
    }

    JsonObject ended(String id) {
        return output(id, "block", true);
    }

    /** Waits for an event of the task that has this text in it; the end of the task without it is a failure. */
    void await(String taskId, String text) {
        try (var events = new BufferedReader(new InputStreamReader(
                edge.open(edge.to("/tasks/" + taskId + "/events?until=end").build()), StandardCharsets.UTF_8))) {
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                if (line.contains(text)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("The events of " + taskId + " ended without " + text);
    }

    static List<JsonObject> list(JsonObject answer, String name) {
        return answer.getJsonArray(name).stream().map(JsonObject.class::cast).toList();
    }

    /** The items of the mailbox, once there are this many. */
    List<JsonObject> items(int count) {
        JsonObject page = new JsonObject();
        for (long from = 0; ; ) {
            page = new JsonObject(edge.get("/sessions/" + session + "/mailbox?from_seq=0&wait=0")
                    .body());
            List<JsonObject> items = list(page, "items");
            if (items.size() >= count) {
                return items;
            }
            from = page.getLong("next_seq");
            HttpResponse<String> next = edge.get("/sessions/" + session + "/mailbox?wait=20000&from_seq=" + from);
            assertTrue(
                    !new JsonObject(next.body()).getJsonArray("items").isEmpty(),
                    () -> "only " + items.size() + " items: " + items);
        }
    }
}
