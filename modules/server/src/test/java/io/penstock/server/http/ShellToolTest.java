package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Profile;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract shell-exec, sentence by sentence, over HTTP; {@link ShellItemsTest} has those about items and pages. */
class ShellToolTest extends ShellTestBed {

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
            JsonObject kept = new JsonObject(answer.body());
            assertTrue(command.startsWith(kept.getString("command")));
            assertTrue(kept.getBoolean("shortened"));
        }
        assertFalse(shell("{\"command\":\"seq 100\"}").getBoolean("shortened"));
        assertTrue(shell("{\"command\":\"seq 10000\"}").getBoolean("shortened"));
        assertFalse(
                shell("{\"command\":\"seq 10000\",\"max_output_bytes\":100}").getBoolean("shortened"));
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
        for (String action : List.of("poll", "log", "kill", "send_keys")) {
            assertRefused("{\"action\":\"" + action + "\"}", 400);
        }
        assertRefused("{\"action\":\"poll\",\"run_id\":\"none\"}", 404);
        assertRefused("{\"action\":\"poll\",\"run_id\":\"" + run + "\",\"command\":\"ls\"}", 400);
        assertRefused("{\"action\":\"log\",\"run_id\":\"" + run + "\",\"limit\":501}", 400);
        assertRefused("{\"action\":\"log\",\"run_id\":\"" + run + "\",\"stream\":\"pty\"}", 400);
        assertRefused("{\"action\":\"kill\",\"run_id\":\"none\"}", 404);
        assertRefused("{\"command\":\"ls\",\"timeout_secs\":0}", 400);
        assertRefused("{\"command\":\"ls\",\"session_id\":\"../x\"}", 400);
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

    @Test
    void backgroundIsRecordedAndSpawnReturnsAtOnceEitherWay() {
        JsonObject spawned = shell("{\"action\":\"spawn\",\"command\":\"sleep 600\",\"background\":false}");
        assertEquals(false, spawned.getBoolean("background"));
        assertEquals("cli", spawned.getString("session_id"));
        kill(spawned.getString("run_id"));
    }

    @Test
    void killReturnsBeforeTheRunHasEnded() {
        String run = spawn("trap '' TERM; echo up; while :; do sleep 0.01; done");
        edge.await(run, "\"chunk\":\"up\\n\"");
        JsonObject killed = shell("{\"action\":\"kill\",\"run_id\":\"" + run + "\",\"reason\":\"enough\"}");
        assertEquals("running", killed.getString("status"));
        JsonObject end = ended(run);
        assertTrue(end.getString("error_message").contains("TERM"), end::encode);
        List<JsonObject> items = items(end);
        assertEquals("canceled", items.getLast().getString("payload"));
        assertTrue(items.stream()
                .anyMatch(
                        item -> "enough".equals(item.getJsonObject("meta_json").getString("reason"))));
    }

    @Test
    void callerThatWaitsForAMatchKillsTheRun() {
        String run = shell(
                        "{\"action\":\"spawn\",\"command\":\"echo begin; echo end; sleep 600\",\"session_id\":\"s-steer\","
                                + "\"watch\":[{\"regex\":\"begin\\\\nend\",\"event\":\"both\",\"scope\":\"window\"}]}")
                .getString("run_id");
        long since = 0;
        JsonObject page;
        do {
            page = poll(run, since, 20_000);
            since = page.getLong("next_seq");
        } while (items(page).stream().noneMatch(item -> "both".equals(item.getString("payload"))));
        assertEquals("running", page.getString("status"));
        kill(run);
        assertEquals("canceled", ended(run, since).getString("status"));
    }

    @Test
    void runHasARealTerminalOrIsRefused(TestBed bed) throws Exception {
        assertTrue(text(items(ended(spawn("tty; stty size", true))), "stdout").startsWith("/dev/pts/"));
        Rule noTerminals = new Rule(
                question -> question.mode() == ExecutionMode.PTY,
                new Verdict.Deny("no-terminals", "they hide prompts"));
        var strict = bed.add(new RunningEdge(
                Files.createDirectory(bed.folder().resolve("strict")), Profile.LOCAL.with(List.of(noTerminals))));
        HttpResponse<String> refused =
                strict.post("/tools/shell", "{\"action\":\"spawn\",\"command\":\"true\",\"pty\":true}");
        assertEquals(403, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("they hide prompts"));
        assertEquals(
                200,
                strict.post("/tools/shell", "{\"action\":\"spawn\",\"command\":\"true\"}")
                        .statusCode());
    }
}
