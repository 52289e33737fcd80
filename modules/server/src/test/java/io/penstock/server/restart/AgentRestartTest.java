package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agents, their conversations and notifications across kill -9 of the server. */
@Tag("server")
class AgentRestartTest {

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @BeforeEach
    void configure() throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("penstock.toml"), "[tasks]\npersist = true\n");
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off", "--workspace", workspace.toString());
    }

    private static void kill(ServerProcess server) {
        server.signal("KILL");
        server.handle().onExit().join();
    }

    private static JsonObject call(TaskClient client, String tool, Object... parameters) {
        var body = new JsonObject().put("session_id", "s");
        for (int i = 0; i < parameters.length; i += 2) {
            body.put((String) parameters[i], parameters[i + 1]);
        }
        HttpResponse<String> answer = client.post("/tools/" + tool, body);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static String start(TaskClient client, String prompt) {
        return call(client, "background_task", "description", "a test", "prompt", prompt)
                .getString("task_id");
    }

    private static JsonObject output(TaskClient client, String id, Object... more) {
        var parameters = new ArrayList<Object>(List.of("task_id", id));
        parameters.addAll(List.of(more));
        return call(client, "background_output", parameters.toArray())
                .getJsonArray("tasks")
                .getJsonObject(0);
    }

    private static JsonObject ended(TaskClient client, String id) {
        return output(client, id, "block", true, "timeout_ms", 50_000);
    }

    /** The output when the task has ended, of which the session is notified as well. */
    private static JsonObject joined(TaskClient client, String id) {
        String task = call(client, "task_list", "limit", 100).getJsonArray("tasks").stream()
                .map(each -> ((JsonObject) each).getString("task_id"))
                .filter(each -> each.startsWith(id.substring("bg_".length())))
                .findAny()
                .orElseThrow();
        call(client, "task_join", "task_id", task, "timeout_ms", 50_000);
        return output(client, id);
    }

    /** The keys of the items of the mailbox, by how often they are there, once this many tasks have ended in the session. */
    private static Map<String, Long> notified(TaskClient client, int ends) {
        JsonObject session;
        do {
            session = new JsonObject(client.get("/sessions/s").body());
        } while (session.getInteger("tasks_ended") < ends);
        List<String> keys = new ArrayList<>();
        long from = 0;
        while (true) {
            var page = new JsonObject(
                    client.get("/sessions/s/mailbox?from_seq=" + from).body());
            page.getJsonArray("items").forEach(item -> keys.add(((JsonObject) item).getString("key")));
            if (page.getLong("next_seq") == from) {
                return keys.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
            }
            from = page.getLong("next_seq");
        }
    }

    @Test
    void agentThatIsKilledMidTurnWorksOnWithItsHistory() {
        String task;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            task = call(client, "task_spawn", "task", "/say begun\n/sleep 600000", "label", "mine")
                    .getString("task_id");
            client.until(task, frame -> "task_agent_message".equals(frame.getString("type")));
            kill(server);
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            call(client, "task_steer", "label", "mine", "message", "/history\n/say done");
            JsonObject joined = call(client, "task_join", "label", "mine", "timeout_ms", 50_000);
            assertEquals("completed", joined.getString("status"), joined::encode);
            assertEquals(task, joined.getString("task_id"));
            // The lost turn is a part of the conversation that was loaded.
            assertTrue(joined.getString("result").contains("/say begun"), joined::encode);
            assertTrue(joined.getString("result").endsWith("done"), joined::encode);
            assertEquals(1, notified(client, 1).size());
        }
    }

    @Test
    void completedTaskIsResumedWithHistoryAfterAKill() {
        String id;
        String retrieved;
        String cleared;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            cleared = start(client, "/say cleared");
            joined(client, cleared);
            call(client, "background_clear", "task_id", cleared);
            id = start(client, "/say my name is Ada");
            retrieved = joined(client, id).getString("retrieved_at");
            assertNotNull(retrieved);
            kill(server);
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            JsonObject before = output(client, id);
            assertEquals(retrieved, before.getString("retrieved_at"));
            assertEquals(0, before.getInteger("resumeCount"));
            JsonObject list = call(client, "background_list");
            assertEquals(1, list.getJsonArray("tasks").size(), list::encode);
            JsonObject resumed = call(client, "background_task", "resume", id, "prompt", "/history");
            assertEquals(1, resumed.getInteger("resumeCount"));
            assertEquals(before.getString("batchId"), resumed.getString("batchId"));
            JsonObject after = joined(client, id);
            assertTrue(after.getString("result").contains("my name is Ada"), after::encode);
            assertTrue(after.getString("retrieved_at").compareTo(retrieved) > 0);
            Map<String, Long> notified = notified(client, 3);
            assertEquals(3, notified.size());
            assertEquals(Set.of(1L), new HashSet<>(notified.values()));
        }
    }

    @Test
    void waitedResultIsNotifiedAtMostOnceOverAKill() {
        List<String> waited = new ArrayList<>();
        String other;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            other = start(client, "/say other");
            for (int i = 0; i < 3; i++) {
                String id = start(client, "/say " + i);
                waited.add(id);
                assertEquals(String.valueOf(i), ended(client, id).getString("result"));
            }
            // At this moment, it is being recorded that the last result was delivered.
            kill(server);
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            joined(client, other);
            waited.forEach(id -> joined(client, id));
            Map<String, Long> notified = notified(client, 1 + waited.size());
            assertEquals(Set.of(1L), new HashSet<>(notified.values()), notified::toString);
            String start = other.substring("bg_".length());
            assertEquals(
                    1,
                    notified.keySet().stream()
                            .filter(key -> key.startsWith(start))
                            .count(),
                    notified::toString);
        }
    }

    @Test
    void resumedTurnThatRunsAgainIsStillResumed() {
        String id;
        String task;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            id = start(client, "/say first");
            ended(client, id);
            call(client, "background_task", "resume", id, "prompt", "/say begun\n/sleep 2000\n/say done");
            task = call(client, "task_list")
                    .getJsonArray("tasks")
                    .getJsonObject(0)
                    .getString("task_id");
            client.until(task, frame -> "begun".equals(frame.getString("text")));
            kill(server);
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            assertResumed(client, id);
            client.until(task, frame -> "recover".equals(frame.getString("kind")));
            assertResumed(client, id);
            var turns = new AtomicInteger();
            client.until(
                    task, frame -> "task_turn_started".equals(frame.getString("type")) && turns.incrementAndGet() == 3);
            assertResumed(client, id);
            JsonObject output = ended(client, id);
            assertEquals("completed", output.getString("status"), output::encode);
            assertEquals(1, output.getInteger("resumeCount"));
            assertTrue(output.getString("result").endsWith("done"), output::encode);
        }
    }

    private static void assertResumed(TaskClient client, String id) {
        assertEquals("resumed", output(client, id).getString("status"));
        String listing = call(client, "background_list").getString("listing");
        assertTrue(listing.startsWith(id + " (resumed)  resumed"), listing);
    }

    @Test
    void eachEndIsNotifiedOnceWheneverTheServerWasKilled() {
        List<String> started = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            try (ServerProcess server = start();
                    var client = new TaskClient(server)) {
                for (int i = 0; i < 4; i++) {
                    started.add(start(client, "/sleep " + 150 * i + "\n/say " + started.size()));
                }
                // Killed as soon as the first of this round has ended: others are ending at this moment.
                joined(client, started.get(4 * round));
                kill(server);
            }
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (int i = 0; i < started.size(); i++) {
                JsonObject output = joined(client, started.get(i));
                assertEquals("completed", output.getString("status"), output::encode);
                assertEquals(String.valueOf(i), output.getString("result"));
                assertNull(output.getString("error"));
            }
            Map<String, Long> notified = notified(client, started.size());
            assertEquals(started.size(), notified.size(), notified::toString);
            assertEquals(Set.of(1L), new HashSet<>(notified.values()));
        }
    }
}
