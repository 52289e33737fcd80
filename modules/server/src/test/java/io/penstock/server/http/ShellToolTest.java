package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract shell-exec, sentence by sentence, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class ShellToolTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void spawnReturnsAtOnceWithTheRun() {
        JsonObject spawned = shell("{\"action\":\"spawn\",\"command\":\"sleep 600\",\"session_id\":\"s-spawn\"}");
        assertEquals("queued", spawned.getString("status"));
        assertEquals("s-spawn", spawned.getString("session_id"));
        assertEquals(true, spawned.getBoolean("background"));
        assertEquals(false, spawned.getBoolean("pty"));
        assertNotNull(spawned.getString("queued_at"));
        assertFalse(spawned.getString("note").isBlank());
        kill(spawned.getString("run_id"));
    }

    @Test
    void pollHasStateSnippetAndItems() {
        JsonObject end = ended(spawn("echo out; echo err >&2; exit 3"));
        assertEquals("failed", end.getString("status"));
        assertEquals(3, end.getInteger("exit_code"));
        assertEquals("echo out; echo err >&2; exit 3", end.getString("command"));
        assertEquals(8, end.getInteger("output_bytes"));
        assertEquals(false, end.getBoolean("truncated"));
        for (String name : List.of("queued_at", "started_at", "finished_at", "updated_at")) {
            assertTrue(end.getString(name).endsWith("Z"), name);
        }
        assertTrue(end.getString("snippet").contains("out\n"));
        assertTrue(end.getString("snippet").contains("err\n"));
        List<JsonObject> items = items(end);
        assertEquals(1, items.getFirst().getInteger("seq"));
        assertEquals("out\n", text(items, "stdout"));
        assertEquals("err\n", text(items, "stderr"));
        assertEquals("failed", items.getLast().getString("payload"));
    }

    @Test
    void answerOfARunCanBeKeptWhateverItsTextsAre() {
        String three = "yes 漢 | tr -d '\\n' | head -c 120000";
        String six = "yes | tr -d '\\n' | tr y '\\1' | head -c 40000";
        for (String command :
                List.of(three + "; " + three + " >&2", six + "; " + six + " >&2", "true #" + "x".repeat(90_000))) {
            String call = new JsonObject().put("command", command).encode();
            HttpResponse<String> answer = edge.post("/tools/shell", call);
            assertEquals(200, answer.statusCode(), answer::body);
            int bytes = answer.body().getBytes(StandardCharsets.UTF_8).length;
            assertTrue(
                    bytes > Limits.IDEMPOTENCY_ANSWER_BYTES / 4 && bytes <= Limits.IDEMPOTENCY_ANSWER_BYTES,
                    "bytes: " + bytes);
            assertTrue(command.startsWith(new JsonObject(answer.body()).getString("command")));
        }
    }

    @Test
    void cursorReturnsEachItemOnceStrictlyAfterIt() {
        String run = spawn("for i in 1 2 3 4 5 6; do echo $i; echo e$i >&2; done");
        ended(run);
        var all = new ArrayList<JsonObject>();
        long since = 0;
        JsonObject page;
        do {
            page = shell("{\"action\":\"log\",\"run_id\":\"" + run + "\",\"limit\":2,\"since_seq\":" + since + "}");
            for (JsonObject item : items(page)) {
                assertTrue(item.getLong("seq") > since);
                all.add(item);
            }
            assertTrue(page.getLong("next_seq") >= since);
            since = page.getLong("next_seq");
        } while (!page.getJsonArray("items").isEmpty());
        assertEquals("1\n2\n3\n4\n5\n6\n", text(all, "stdout"));
        assertEquals(all.stream().map(item -> item.getLong("seq")).distinct().count(), all.size());
    }

    @Test
    void filteredPageMovesOnPastOtherItems() {
        String run = spawn("echo only out");
        ended(run);
        JsonObject page = shell("{\"action\":\"log\",\"stream\":\"stderr\",\"run_id\":\"" + run + "\"}");
        assertEquals(new JsonArray(), page.getJsonArray("items"));
        assertTrue(page.getLong("next_seq") > 0);
    }

    @Test
    void pollWaitsForSomethingNew() {
        String run = spawn("read line; echo got", true);
        JsonObject first = poll(run, 0, 0);
        CompletableFuture<JsonObject> waiting =
                CompletableFuture.supplyAsync(() -> ended(run, first.getLong("next_seq")));
        shell("{\"action\":\"send_keys\",\"keys\":\"Enter\",\"run_id\":\"" + run + "\"}");
        assertEquals("succeeded", waiting.join().getString("status"));
    }

    @Test
    void callWithoutActionRunsToTheEnd() {
        JsonObject done = shell("{\"command\":\"printf hello; printf oops >&2; exit 2\"}");
        assertEquals("hello", done.getString("stdout"));
        assertEquals("oops", done.getString("stderr"));
        assertEquals(2, done.getInteger("exit_code"));
        assertEquals("failed", done.getString("status"));
    }

    @Test
    void timeoutStopsTheRunAndSaysSo() {
        JsonObject done = shell("{\"command\":\"sleep 600\",\"timeout_secs\":1}");
        assertEquals("timed_out", done.getString("status"));
    }

    @Test
    void killCancelsTheRun() {
        String run = spawn("sleep 600");
        kill(run);
        assertEquals("canceled", ended(run).getString("status"));
        kill(run);
        assertEquals("canceled", ended(run).getString("status"));
    }

    @Test
    void outputBeyondTheCapIsCountedNotShown() {
        String run = json(edge.post(
                        "/tools/shell",
                        "{\"action\":\"spawn\",\"command\":\"printf 0123456789; printf abcdef >&2; printf more\",\"max_output_bytes\":10}"))
                .getString("run_id");
        JsonObject end = ended(run);
        assertEquals(20, end.getInteger("output_bytes"));
        assertEquals(true, end.getBoolean("truncated"));
        List<JsonObject> items = items(end);
        assertEquals(10, text(items, "stdout").length() + text(items, "stderr").length());
        assertEquals(
                1,
                items.stream()
                        .filter(item -> "output_truncated".equals(item.getString("type")))
                        .count());
        assertEquals(items, items(poll(run, 0, 0)));
    }

    @Test
    void cutOutputEndsWithAWholeCharacter() {
        String run = json(edge.post(
                        "/tools/shell", "{\"action\":\"spawn\",\"command\":\"printf 'aéé'\",\"max_output_bytes\":2}"))
                .getString("run_id");
        assertEquals("a", text(items(ended(run)), "stdout"));
    }

    @Test
    void snippetIsTheTailOfTheRun() {
        JsonObject end = ended(spawn("seq 1 5000"));
        String snippet = end.getString("snippet");
        assertTrue(snippet.length() <= 4096, String.valueOf(snippet.length()));
        assertTrue(snippet.endsWith("4999\n5000\n"));
        assertEquals(
                snippet,
                poll(end.getString("run_id"), end.getLong("next_seq"), 0).getString("snippet"));
    }

    @Test
    void runsOfASessionRunOneAfterTheOther() {
        String file = edge.workspace.resolve("serial").toString();
        String command = "echo begin >> " + file + "; sleep 0.2; echo end >> " + file;
        List<String> runs = IntStream.range(0, 4)
                .mapToObj(i -> json(edge.post(
                                "/tools/shell",
                                new JsonObject()
                                        .put("action", "spawn")
                                        .put("command", command)
                                        .put("session_id", "serial")
                                        .encode()))
                        .getString("run_id"))
                .toList();
        runs.forEach(this::ended);
        JsonObject lines = shell(new JsonObject().put("command", "cat " + file).encode());
        assertEquals("begin\nend\n".repeat(4), lines.getString("stdout"));
    }

    @Test
    void sessionsRunInParallel() {
        String first = spawn("sleep 600", "par-1");
        String second = json(edge.post(
                        "/tools/shell", "{\"action\":\"spawn\",\"command\":\"echo here\",\"session_id\":\"par-2\"}"))
                .getString("run_id");
        assertEquals("succeeded", ended(second).getString("status"));
        kill(first);
    }

    @Test
    void keysAreTypedIntoTheTerminal() {
        String run = spawn("stty -echo; read line; echo \"[$line]\"", true);
        edge.await(run, "awaiting_input");
        shell("{\"action\":\"send_keys\",\"keys\":\"hello world\",\"run_id\":\"" + run + "\"}");
        shell("{\"action\":\"send_keys\",\"keys\":\"Space Enter\",\"run_id\":\"" + run + "\"}");
        assertTrue(text(items(ended(run)), "stdout").contains("[hello world"));
        assertRefused("{\"action\":\"send_keys\",\"keys\":\"Enter\",\"run_id\":\"" + spawn("sleep 9") + "\"}", 400);
    }

    @Test
    void wrongCallsAreRefusedByName() {
        String run = spawn("true");
        assertRefused("{}", 400);
        assertRefused("{\"action\":\"fly\"}", 400);
        assertRefused("{\"action\":\"spawn\"}", 400);
        assertRefused("{\"action\":\"spawn\",\"command\":\" \"}", 400);
        assertRefused("{\"action\":\"spawn\",\"command\":\"a\\u0000b\"}", 400);
        assertRefused("{\"action\":\"poll\"}", 400);
        assertRefused("{\"action\":\"poll\",\"run_id\":\"none\"}", 404);
        assertRefused("{\"action\":\"poll\",\"run_id\":\"" + run + "\",\"command\":\"ls\"}", 400);
        assertRefused("{\"action\":\"log\",\"run_id\":\"" + run + "\",\"limit\":501}", 400);
        assertRefused("{\"action\":\"log\",\"run_id\":\"" + run + "\",\"stream\":\"pty\"}", 400);
        assertRefused("{\"action\":\"kill\",\"run_id\":\"none\"}", 404);
        assertRefused("{\"command\":\"ls\",\"timeout_secs\":0}", 400);
        assertRefused("{\"command\":\"ls\",\"session_id\":\"../x\"}", 400);
    }

    @Test
    void cursorBeyondTheEndReturnsNothing() {
        JsonObject poll = poll(spawn("true"), 1_000_000, 0);
        assertEquals(1_000_000, poll.getLong("next_seq"));
        assertEquals(new JsonArray(), poll.getJsonArray("items"));
    }

    @Test
    void watcherHitIsAnItemOfTheRun() {
        String run = shell("{\"action\":\"spawn\",\"command\":\"echo one; echo error 7\",\"session_id\":\"s-watch\","
                        + "\"watch\":[{\"regex\":\"error [0-9]\",\"event\":\"failed\",\"once\":true}]}")
                .getString("run_id");
        List<JsonObject> events = items(ended(run)).stream()
                .filter(item -> "event".equals(item.getString("type")))
                .toList();
        assertEquals(1, events.size());
        assertEquals("failed", events.getFirst().getString("payload"));
        JsonObject meta = events.getFirst().getJsonObject("meta_json");
        assertEquals("watcher_hit", meta.getString("kind"));
        assertEquals("error 7", meta.getString("matched"));
        assertEquals(4, meta.getLong("offset_bytes"));
        assertRefused("{\"action\":\"spawn\",\"command\":\"true\",\"watch\":[{\"regex\":\"(\",\"event\":\"x\"}]}", 400);
        assertRefused("{\"action\":\"poll\",\"run_id\":\"" + run + "\",\"watch\":[]}", 400);
    }

    private String spawn(String command) {
        return spawn(command, false);
    }

    private String spawn(String command, boolean pty) {
        return shell(new JsonObject()
                        .put("action", "spawn")
                        .put("command", command)
                        .put("pty", pty)
                        .put("session_id", "t" + System.nanoTime())
                        .encode())
                .getString("run_id");
    }

    private String spawn(String command, String session) {
        return shell(new JsonObject()
                        .put("action", "spawn")
                        .put("command", command)
                        .put("session_id", session)
                        .encode())
                .getString("run_id");
    }

    private void kill(String run) {
        shell("{\"action\":\"kill\",\"run_id\":\"" + run + "\"}");
    }

    private JsonObject poll(String run, long since, long waitMs) {
        return shell("{\"action\":\"poll\",\"run_id\":\"" + run + "\",\"since_seq\":" + since + ",\"wait_ms\":" + waitMs
                + "}");
    }

    private JsonObject ended(String run) {
        return ended(run, 0);
    }

    /** Polls until the run has ended; the answer has all items since the cursor. */
    private JsonObject ended(String run, long since) {
        long seen = since;
        JsonObject answer = poll(run, seen, 20_000);
        while (answer.getValue("finished_at") == null) {
            seen = answer.getLong("next_seq");
            answer = poll(run, seen, 20_000);
        }
        return poll(run, since, 0);
    }

    private JsonObject shell(String body) {
        return json(edge.post("/tools/shell", body));
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private void assertRefused(String body, int status) {
        HttpResponse<String> answer = edge.post("/tools/shell", body);
        assertEquals(status, answer.statusCode(), body + ": " + answer.body());
    }

    private static List<JsonObject> items(JsonObject page) {
        return page.getJsonArray("items").stream().map(JsonObject.class::cast).toList();
    }

    private static String text(List<JsonObject> items, String type) {
        var text = new StringBuilder();
        for (JsonObject item : items) {
            if (type.equals(item.getString("type"))) {
                text.append(item.getString("payload"));
            }
        }
        return text.toString();
    }
}
