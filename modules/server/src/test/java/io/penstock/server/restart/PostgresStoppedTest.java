package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.PostgresProcesses;
import io.penstock.server.ServerProcess;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Postgres runs but does not answer: requests that need it fail while it is stopped, and all others work. */
@Tag("server")
class PostgresStoppedTest {

    private final Path data = ServerProcess.folder();
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable ServerProcess started;

    @BeforeEach
    void start() {
        started = ServerProcess.ready(data, "--port", "0", "--auth", "off");
    }

    @AfterEach
    void end() throws Exception {
        signalPostgres("CONT");
        client.shutdownNow();
        server().signal("TERM");
        server().exitCode();
        ServerProcess.delete(data);
    }

    private ServerProcess server() {
        return Objects.requireNonNull(started);
    }

    private void signalPostgres(String signal) {
        PostgresProcesses.signal(server(), signal);
    }

    @Test
    void whatNeedsPostgresFailsAndTheRestGoesOn() throws Exception {
        String living = task(spawn("sleep 600", null));
        String ended = task(spawn("true", null));
        assertEquals(
                "exited", new JsonObject(get("/tasks/" + ended + "?wait=20000").body()).getString("status"));
        // All of it is drained, so that only the journal's own files and memory have it.
        assertEquals(2, ids(get("/tasks")).size());
        List<String> before = events(living);
        signalPostgres("STOP");

        JsonObject error = refused(spawn("true", "a-key"));
        assertTrue(error.getBoolean("retryable"), error::encode);
        assertEquals(201, spawn("sleep 600", null).statusCode());

        HttpResponse<String> list = get("/tasks");
        assertEquals(200, list.statusCode(), list::body);
        assertEquals(
                "living-tasks", list.headers().firstValue("x-penstock-partial").orElse(""));
        assertEquals(2, ids(list).size());
        assertEquals(living, ids(list).getLast());
        assertEquals(List.of(), ids(get("/tasks?session=nobody")));
        refused(get("/tasks?status=exited"));
        refused(get("/retention"));

        assertEquals(before, events(living));
        JsonObject away = refused(get("/tasks/" + ended + "/events"));
        assertTrue(away.getString("message").contains("from_seq="), away::encode);
        refused(get("/tasks/" + ended + "/events?until=end"));

        signalPostgres("CONT");
        assertEquals(201, spawn("true", "a-key").statusCode());
        assertEquals(4, ids(get("/tasks")).size());
        assertTrue(get("/tasks").headers().firstValue("x-penstock-partial").isEmpty());
    }

    @Test
    void whoWaitsForHistoryInVainIsDisconnected() throws Exception {
        String ended = task(spawn("true", null));
        JsonObject state = new JsonObject(get("/tasks/" + ended + "?wait=20000").body());
        assertEquals("exited", state.getString("status"));
        assertEquals(1, ids(get("/tasks")).size());
        signalPostgres("STOP");

        try (var viewer = Attached.json(server(), ended, "from_seq=0")) {
            viewer.rest(1013);
        }
        // It opens at once, since there is no history to show, and new frames may come at any time.
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        server().address() + "/tasks/" + ended + "/events?from_seq=" + state.getLong("next_seq")))
                .build();
        HttpResponse<Stream<String>> opened = client.send(request, BodyHandlers.ofLines());
        assertEquals(200, opened.statusCode());
        assertThrows(UncheckedIOException.class, () -> opened.body().toList());

        signalPostgres("CONT");
        try (var viewer = Attached.json(server(), ended, "from_seq=0")) {
            viewer.rest(1000);
        }
    }

    @Test
    void aKilledPostgresKeepsNobodyWaiting() throws Exception {
        String living = task(spawn("sleep 600", null));
        List<String> before = events(living);
        assertEquals(1, ids(get("/tasks")).size());
        signalPostgres("KILL");

        HttpResponse<String> list = get("/tasks");
        assertEquals(200, list.statusCode(), list::body);
        assertEquals(List.of(living), ids(list));
        assertEquals(before, events(living));
        // With any answers meanwhile, the key yields one task.
        HttpResponse<String> keyed = spawn("sleep 600", "a-key");
        while (keyed.statusCode() != 201) {
            assertTrue(refused(keyed).getBoolean("retryable"), keyed::body);
            keyed = spawn("sleep 600", "a-key");
        }
        assertEquals(task(keyed), task(spawn("sleep 600", "a-key")));

        server().until("Postgres is back");
        list = get("/tasks");
        assertTrue(list.headers().firstValue("x-penstock-partial").isEmpty());
        assertEquals(List.of(task(keyed), living), ids(list));
    }

    private static JsonObject refused(HttpResponse<String> answer) {
        assertEquals(503, answer.statusCode(), answer::body);
        assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals("DATABASE_UNAVAILABLE", error.getString("code"));
        return error;
    }

    private HttpResponse<String> get(String path) {
        return server().get(path);
    }

    private HttpResponse<String> spawn(String command, @Nullable String key) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().address() + "/tasks"))
                .timeout(Duration.ofSeconds(60))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject()
                        .put("tool", "bash")
                        .put("args", new JsonObject().put("command", command))
                        .encode()));
        if (key != null) {
            request.header("idempotency-key", key);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String task(HttpResponse<String> spawned) {
        assertEquals(201, spawned.statusCode(), spawned::body);
        return new JsonObject(spawned.body()).getString("task_id");
    }

    private static List<String> ids(HttpResponse<String> list) {
        JsonArray tasks = new JsonArray(list.body());
        return tasks.stream()
                .map(task -> ((JsonObject) task).getString("task_id"))
                .toList();
    }

    /** The first events of a living task: spawned, allowed, and running. */
    private List<String> events(String task) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().address() + "/tasks/" + task + "/events"))
                .build();
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
            return lines.filter(line -> line.startsWith("data: ")).limit(3).toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
