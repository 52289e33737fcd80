package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.session.SessionEvent;
import io.penstock.frames.Actor;
import io.penstock.frames.TaskState;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SessionRoutesTest {

    private RunningEdge edge;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void unknownSessionIs404OnEveryRoute() {
        for (String path : List.of("/sessions/none", "/sessions/none/events", "/sessions/none/mailbox")) {
            assertRefused(edge.get(path), 404, "SESSION_NOT_FOUND");
        }
        assertRefused(edge.post("/sessions/none/end", "{}"), 404, "SESSION_NOT_FOUND");
        assertRefused(edge.post("/sessions/none/mailbox/ack", "{\"through_seq\":0}"), 404, "SESSION_NOT_FOUND");
        assertEquals("[]", edge.get("/sessions").body());
    }

    @Test
    void sessionsAreListedNewestFirstByPages() {
        for (String id : List.of("a", "b", "c")) {
            use(id);
        }
        HttpResponse<String> first = edge.get("/sessions?limit=2");
        assertEquals(List.of("c", "b"), ids(first));
        String link = first.headers().firstValue("link").orElseThrow();
        String next = link.substring(1, link.indexOf('>'));
        HttpResponse<String> second = edge.get(next);
        assertEquals(List.of("a"), ids(second));
        assertTrue(second.headers().firstValue("link").isEmpty());
        assertRefused(edge.get("/sessions?cursor=%25"), 400, "INVALID_REQUEST");
    }

    @Test
    void mailboxWaitsForAnItemAndKeepsItUntilAcknowledged() throws Exception {
        use("s");
        CompletableFuture<JsonObject> waiting =
                CompletableFuture.supplyAsync(() -> json(edge.get("/sessions/s/mailbox?wait=20000")));
        end("s");
        JsonObject page = waiting.get(20, TimeUnit.SECONDS);
        JsonObject item = page.getJsonArray("items").getJsonObject(0);
        assertEquals("tool_ended", item.getString("type"));
        assertEquals(item.getString("task_id") + "/" + item.getLong("task_seq"), item.getString("key"));
        assertEquals(1, page.getInteger("waiting"));

        assertEquals(
                item.getLong("seq"),
                json(edge.get("/sessions/s/mailbox"))
                        .getJsonArray("items")
                        .getJsonObject(0)
                        .getLong("seq"));
        String ack = "{\"through_seq\":" + item.getLong("seq") + "}";
        assertEquals(0, json(edge.post("/sessions/s/mailbox/ack", ack)).getInteger("mailbox_waiting"));
        assertEquals(0, json(edge.post("/sessions/s/mailbox/ack", ack)).getInteger("mailbox_waiting"));
        assertEquals(new JsonArray(), json(edge.get("/sessions/s/mailbox")).getJsonArray("items"));
    }

    @Test
    void mailboxWithoutItemsAnswersEmptyWhenTheTimeIsUp() {
        use("s");
        assertEquals(
                new JsonArray(), json(edge.get("/sessions/s/mailbox?wait=20")).getJsonArray("items"));
    }

    @Test
    void badAcknowledgementsAreRefused() {
        use("s");
        for (String body :
                List.of("{}", "{\"through_seq\":-1}", "{\"through_seq\":\"1\"}", "{\"through_seq\":99}", "[]")) {
            assertRefused(edge.post("/sessions/s/mailbox/ack", body), 400, "INVALID_REQUEST");
        }
    }

    @Test
    void endedSessionSaysSoAndStartsAgainWhenUsed() {
        use("s");
        assertEquals(
                "ended",
                json(edge.post("/sessions/s/end", "{\"reason\":\"done\"}")).getString("status"));
        assertEquals("ended", json(edge.get("/sessions/s")).getString("status"));
        use("s");
        assertEquals("open", json(edge.get("/sessions/s")).getString("status"));
    }

    @Test
    void eventsAreHistoryThenLive() throws IOException {
        use("s");
        try (var lines = new BufferedReader(new InputStreamReader(
                edge.open(edge.to("/sessions/s/events?from_seq=0").build()), StandardCharsets.UTF_8))) {
            assertEquals("session_started", next(lines).getString("type"));
            end("s");
            assertEquals("session_task_started", next(lines).getString("type"));
            assertEquals("tool_ended", next(lines).getString("type"));
        }
        assertEquals(3, edge.events("/sessions/s/events?until=now").size());
        assertEquals(2, edge.events("/sessions/s/events?until=now&from_seq=1").size());
        assertEquals(0, edge.events("/sessions/s/events?until=now&from_seq=3").size());
        assertRefused(edge.get("/sessions/s/events?from_seq=99"), 400, "INVALID_REQUEST");
        assertRefused(edge.get("/sessions/s/events?until=end"), 400, "INVALID_REQUEST");
    }

    private static JsonObject next(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (!line.startsWith("data: ")) {
            line = lines.readLine();
        }
        return new JsonObject(line.substring("data: ".length()));
    }

    private void use(String session) {
        await(edge.sessions.use(session, Actor.user("alice")));
    }

    /** Records a real task's start and end in the session. */
    private void end(String session) {
        String task = edge.spawn("true", "pipes");
        edge.ended(task);
        TaskState state = await(edge.state(task));
        await(edge.sessions.record(session, new SessionEvent.TaskStarted(task, Objects.requireNonNull(state.spec()))));
        await(edge.sessions.record(session, new SessionEvent.TaskEnded(task, state)));
    }

    private static List<String> ids(HttpResponse<String> list) {
        return new JsonArray(list.body())
                .stream()
                        .map(each -> ((JsonObject) each).getString("session_id"))
                        .toList();
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String code) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertEquals(code, new JsonObject(answer.body()).getJsonObject("error").getString("code"));
    }
}
