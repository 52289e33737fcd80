package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class ScreenRoutesTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void screenIsTheSameDuringAndAfterTheTask() {
        String task = edge.spawn(
                "printf '\\e]2;a title\\a\\e[1;31mred\\e[0m \\e[48;2;1;2;3m \\e[m "
                        + "\\e]8;;https://example.org/\\alink\\e]8;;\\a \\xe6\\xbc\\xa2\\e[?25l'; read x; clear; exit 3",
                "pty");
        edge.await(task, "\u6f22");
        JsonObject now = new JsonObject(edge.get("/tasks/" + task + "/screen").body());
        assertEquals("a title", now.getString("title"));
        assertEquals(false, now.getJsonObject("cursor").getBoolean("visible"));
        JsonArray runs = now.getJsonArray("lines").getJsonObject(0).getJsonArray("runs");
        assertEquals(
                new JsonObject().put("text", "red").put("cells", 3).put("fg", 1).put("bold", true),
                runs.getJsonObject(0));
        assertEquals("#010203", runs.getJsonObject(2).getString("bg"));
        assertEquals("https://example.org/", runs.getJsonObject(4).getString("link"));

        edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"DQ==\"}");
        edge.ended(task);
        String at = "/tasks/" + task + "/screen?at_seq=" + now.getLong("seq");
        assertEquals(now, new JsonObject(edge.get(at).body()));
        assertEquals(
                now, new JsonObject(edge.get(at.replace("at_seq", "screen_at")).body()));
        HttpResponse<String> text = edge.get(at + "&format=text");
        assertEquals("red   link \u6f22\n", text.body());
        assertEquals(
                now.getLong("seq"),
                Long.valueOf(text.headers().firstValue("x-penstock-seq").orElseThrow()));
        assertTrue(edge.get(at + "&format=ansi").body().contains("\u001b[0;1;31mred"));
        assertEquals("\n", edge.get("/tasks/" + task + "/screen?format=text").body());
    }

    @Test
    void scrollbackHasTheRequestedLength() {
        String task = edge.spawn("seq 100", "pty");
        edge.ended(task);
        JsonObject screen = new JsonObject(
                edge.get("/tasks/" + task + "/screen?scrollback=5").body());
        assertEquals(5, screen.getJsonArray("scrollback").size());
        assertEquals("77", screen.getJsonArray("scrollback").getJsonObject(4).getString("text"));
        assertEquals("78", screen.getJsonArray("lines").getJsonObject(0).getString("text"));
    }

    @Test
    void recordingHasOneLinePerEvent() {
        String task = edge.spawn("echo hello; exit 3", "pty");
        edge.ended(task);
        HttpResponse<String> cast = edge.get("/tasks/" + task + "/recording.cast");
        assertEquals(
                "application/x-asciicast",
                cast.headers().firstValue("content-type").orElseThrow());
        List<String> lines = cast.body().lines().toList();
        assertEquals(3, new JsonObject(lines.getFirst()).getInteger("version"));
        assertEquals("hello\r\n", new JsonArray(lines.get(1)).getString(2));
        assertEquals(
                "[\"x\",\"3\"]",
                new JsonArray(new JsonArray(lines.getLast()).getList().subList(1, 3)).encode());
        List<String> second = edge.get("/tasks/" + task + "/recording.cast?version=2")
                .body()
                .lines()
                .toList();
        assertEquals(80, new JsonObject(second.getFirst()).getInteger("width"));
        assertEquals("o", new JsonArray(second.getLast()).getString(1));
    }

    @Test
    void missingScreenIsExplained() {
        String task = edge.spawn("true", "pipes");
        edge.ended(task);
        for (String path : List.of("/screen", "/screen?at_seq=0", "/recording.cast")) {
            BadRequestsTest.assertRefused(
                    edge.get("/tasks/" + task + path), 400, "INVALID_REQUEST", "runs in mode pipes and has no screen");
            BadRequestsTest.assertRefused(
                    edge.get("/tasks/nobody" + path), 404, "TASK_NOT_FOUND", "There is no task nobody");
        }
        BadRequestsTest.assertRefused(
                edge.get("/tasks/" + task + "/screen?at_seq=1&screen_at=1"),
                400,
                "INVALID_REQUEST",
                "at_seq and screen_at mean the same");
    }
}
