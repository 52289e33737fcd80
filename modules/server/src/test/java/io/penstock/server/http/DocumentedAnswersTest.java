package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.server.api.Documented;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every answer agrees with the document: its status, its type, and its body. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class DocumentedAnswersTest {

    private final TreeSet<String> seen = new TreeSet<>();
    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void everyOperationAnswersAsDocumented() {
        String task = new JsonObject(ask("POST", "/tasks", "/tasks", """
                {"tool": "bash", "execution_mode": "pty", "args": {"command": "echo hel''lo; sleep 600"}}""", 201)).getString("task_id");
        edge.await(task, "hello");
        String path = "/tasks/" + task;
        ask("POST", "/tasks/{id}/stdin", path + "/stdin", "{\"chunk_b64\": \"d29ybGQN\"}", 202);
        ask("POST", "/tasks/{id}/resize", path + "/resize", "{\"rows\": 50, \"cols\": 132}", 202);
        ask("POST", "/tasks/{id}/signal", path + "/signal", "{\"signal\": \"WINCH\"}", 202);
        ask("POST", "/tasks/{id}/watchers", path + "/watchers", """
                {"regex": "hel+o", "event": "greeted", "from_seq": 0}""", 201);
        ask("GET", "/tasks/{id}", path, "", 200);
        ask("GET", "/tasks/{id}", path + "?at_seq=0", "", 200);
        ask("GET", "/tasks/{id}/output", path + "/output?wait=10000", "", 200);
        ask("POST", "/tasks/{id}/answer", path + "/answer", "{\"allow\": true, \"reason\": \"why not\"}", 409);
        ask("GET", "/tasks/{id}/policy", path + "/policy", "", 200);
        ask("GET", "/tasks/{id}/screen", path + "/screen", "", 200);
        ask("GET", "/tasks/{id}/screen", path + "/screen?format=ansi&at_seq=3", "", 200);
        ask("GET", "/tasks/{id}/recording.cast", path + "/recording.cast", "", 200);
        ask("POST", "/tasks/{id}/cancel", path + "/cancel", "{}", 202);
        ask("GET", "/tasks/{id}", path + "?wait=20000", "", 200);
        ask("PUT", "/tasks/{id}/pin", path + "/pin", "", 204);
        ask("DELETE", "/tasks/{id}/pin", path + "/pin", "", 204);
        ask("GET", "/tasks", "/tasks", "", 200);
        ask("GET", "/tasks/counts", "/tasks/counts", "", 200);
        String ticks = edge.spawn("while echo tick; do read -rt 0.2 <> <(:); done", "pipes");
        ask("GET", "/tasks/changes", "/tasks/changes?until=next", "", 200);
        edge.post("/tasks/" + ticks + "/cancel", "{}");
        ask("GET", "/tasks/{id}/watchers", path + "/watchers", "", 200);
        ask("GET", "/tasks/{id}/hits", path + "/hits", "", 200);
        ask("GET", "/tasks/{id}/usage", path + "/usage", "", 200);
        ask("GET", "/tasks/{id}/events", path + "/events?until=end", "", 200);
        ask("GET", "/tasks/{id}/attach", path + "/attach", "", 426);
        String artifact = "/artifacts/" + task + ".pty";
        for (String method : new String[] {"GET", "HEAD"}) {
            ask(method, "/tasks/{id}/output/{stream}", path + "/output/pty", "", 200);
            ask(method, "/tasks/{id}/output/{stream}", path + "/output/pty?lines=1-1", "", 200);
            ask(method, "/artifacts/{id}", artifact, "", 200);
        }
        ask("DELETE", "/tasks/{id}/output/{stream}", path + "/output/pty", "", 204);
        ask("GET", "/tasks/{id}/output/{stream}", path + "/output/pty", "", 410);
        ask("DELETE", "/tasks/{id}", path, "", 204);
        for (int uses = 0; uses < 3; uses++) {
            await(edge.sessions.use("s", Actor.user("alice")));
            await(edge.sessions.end("s", null, Actor.user("alice")));
        }
        ask("GET", "/sessions", "/sessions", "", 200);
        ask("GET", "/sessions/{id}", "/sessions/s", "", 200);
        ask("GET", "/sessions/{id}/events", "/sessions/s/events?until=now", "", 200);
        ask("GET", "/sessions/{id}/mailbox", "/sessions/s/mailbox", "", 200);
        ask("POST", "/sessions/{id}/mailbox/ack", "/sessions/s/mailbox/ack", "{\"through_seq\": 0}", 200);
        ask("GET", "/sessions/{id}/mailbox/attach", "/sessions/s/mailbox/attach", "", 426);
        String webhook = "/sessions/s/webhook";
        ask("PUT", "/sessions/{id}/webhook", webhook, "{\"url\": \"http://127.0.0.1:9/\"}", 200);
        ask("GET", "/sessions/{id}/webhook", webhook, "", 200);
        ask("GET", "/sessions/{id}/dead-letters", "/sessions/s/dead-letters", "", 200);
        ask("POST", "/sessions/{id}/dead-letters/resend", "/sessions/s/dead-letters/resend", "{}", 200);
        ask("DELETE", "/sessions/{id}/webhook", webhook, "", 200);
        ask("POST", "/sessions/{id}/end", "/sessions/s/end", "{}", 200);
        ask("GET", "/tools", "/tools", "", 200);
        ask("POST", "/tools/{name}", "/tools/artifact_store", "{\"text\": \"hello\"}", 200);
        ask("POST", "/tools/{name}", "/tools/artifact_fetch", "{\"id\": \"" + task + ".pty\"}", 410);
        ask("POST", "/session", "/session", "", 200);
        ask("DELETE", "/session", "/session", "", 200);
        ask("DELETE", "/session/all", "/session/all", "", 200);
        ask("GET", "/openapi.json", "/openapi.json", "", 200);
        // Others ask for these, of a whole server.
        RunningEdge.OF_THE_SERVER.forEach(operation -> seen.add(operation.id()));
        assertEquals(
                new TreeSet<>(Documented.operations().stream()
                        .map(Documented.Operation::id)
                        .toList()),
                seen);
    }

    @Test
    void failuresAreAnsweredAsDocumented() {
        String task = edge.spawn("echo hello", "pipes");
        edge.ended(task);
        ask("POST", "/tasks", "/tasks", "{", 400);
        ask("GET", "/tasks/{id}", "/tasks/nobody", "", 404);
        ask("GET", "/tasks/{id}", "/tasks/" + task + "?at_seq=99", "", 400);
        ask("GET", "/tasks/{id}/screen", "/tasks/" + task + "/screen", "", 400);
        ask("GET", "/tasks/{id}/recording.cast", "/tasks/" + task + "/recording.cast", "", 400);
        ask("POST", "/tasks/{id}/stdin", "/tasks/" + task + "/stdin", "{\"chunk_b64\": \"d29ybGQN\"}", 409);
        ask("POST", "/tasks/{id}/resize", "/tasks/" + task + "/resize", "{\"rows\": 0, \"cols\": 80}", 400);
        ask("POST", "/tasks/{id}/watchers", "/tasks/" + task + "/watchers", "{\"regex\": \"(\"}", 400);
        String watcher = "{\"regex\": \"hello\", \"event\": \"greeted\"}";
        ask("POST", "/tasks/{id}/watchers", "/tasks/" + task + "/watchers", watcher, 409);
        ask("POST", "/tasks/{id}/watchers", "/tasks/nobody/watchers", watcher, 404);
        ask("GET", "/artifacts/{id}", "/artifacts/nobody.stdout", "", 404);
        ask("POST", "/tasks", "/tasks", " ".repeat(2 << 20), 413);
        ask("POST", "/tools/{name}", "/tools/nobody", "{}", 404);
        ask("POST", "/tools/{name}", "/tools/artifact_fetch", "{}", 400);
        ask("POST", "/tools/{name}", "/tools/artifact_fetch", "{\"id\": \"nobody\"}", 404);
        ask("GET", "/tasks/{id}/output/{stream}", "/tasks/" + task + "/output/tty", "", 400);
    }

    @Test
    void onlyOpenOperationsAnswerWithoutAToken() {
        for (Documented.Operation operation : Documented.operations()) {
            String path = operation
                    .path()
                    .replace("{id}", "nobody")
                    .replace("{stream}", "stdout")
                    .replace("{name}", "artifact_store");
            String answer = edge.raw(operation.method() + " " + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertEquals(!operation.isOpen(), answer.startsWith("HTTP/1.1 401 "), () -> operation.id() + ": " + answer);
            if (!operation.isOpen()) {
                assertNotNull(operation.answer(401), operation.id());
            }
        }
    }

    private String ask(String method, String documented, String path, String body, int status) {
        HttpRequest.Builder request = edge.to(path);
        if (!body.isEmpty()) {
            request.header("content-type", "application/json");
        }
        HttpResponse<String> answer = edge.send(
                request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build());
        assertEquals(status, answer.statusCode(), answer.body());
        Documented.Operation operation = Documented.operations().stream()
                .filter(other -> other.method().equals(method) && other.path().equals(documented))
                .findAny()
                .orElseThrow();
        seen.add(operation.id());
        JsonObject said = operation.answer(status);
        assertNotNull(said, () -> operation.id() + " says nothing of " + status);
        if (status == 204) {
            assertEquals("", answer.body());
        } else if (!method.equals("HEAD")) {
            check(said.getJsonObject("content"), answer);
        }
        return answer.body();
    }

    private static void check(JsonObject content, HttpResponse<String> answer) {
        String type = answer.headers().firstValue("content-type").orElseThrow().split(";")[0];
        assertTrue(content.containsKey(type), () -> type + " is not among " + content.fieldNames());
        JsonObject media = content.getJsonObject(type);
        if (type.equals("application/json")) {
            assertNull(
                    Documented.complaint(media.getJsonObject("schema"), Json.decodeValue(answer.body())),
                    answer.body());
        } else if (type.equals("text/event-stream")) {
            var events = RunningEdge.parse(answer.body());
            assertTrue(events.size() > (answer.uri().getPath().equals("/tasks/changes") ? 0 : 5), answer.body());
            events.forEach(event -> assertNull(
                    Documented.complaint(media.getJsonObject("x-event-data"), event.frame()), event.frame()::encode));
        }
    }
}
