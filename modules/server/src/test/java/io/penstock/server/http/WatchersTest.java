package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Watchers of real programs, from the spawn on and added later, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class WatchersTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    private static JsonObject watcher(String regex) {
        return new JsonObject().put("regex", regex).put("event", "found");
    }

    private static JsonObject bash(String command, String mode, JsonObject... watchers) {
        return new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("watch", new JsonArray(new ArrayList<>(List.of(watchers))))
                .put("args", new JsonObject().put("command", command));
    }

    private String spawn(String command, JsonObject... watchers) {
        return edge.spawn(bash(command, "pipes", watchers));
    }

    private List<JsonObject> frames(String task) {
        return edge.events("/tasks/" + task + "/events?until=end").stream()
                .map(RunningEdge.Event::frame)
                .toList();
    }

    private List<JsonObject> hits(String task) {
        return frames(task).stream()
                .filter(frame -> "task_watcher_hit".equals(frame.getString("type")))
                .toList();
    }

    private static List<String> matched(List<JsonObject> hits) {
        return hits.stream().map(hit -> hit.getString("matched")).toList();
    }

    private static List<Long> offsets(List<JsonObject> hits) {
        return hits.stream().map(hit -> hit.getLong("offset_bytes")).toList();
    }

    private HttpResponse<String> add(String task, JsonObject watcher) {
        return edge.post("/tasks/" + task + "/watchers", watcher.encode());
    }

    private static String error(HttpResponse<String> answer) {
        return new JsonObject(answer.body()).getJsonObject("error").getString("message");
    }

    /** The task waits for this file. */
    private static String waitFor(String file) {
        return "until [ -e " + file + " ]; do sleep 0.01; done; ";
    }

    private void create(String file) throws Exception {
        Files.createFile(edge.workspace.resolve(file));
    }

    @Test
    void hitNamesItsPlaceItsEventAndItsFrame() {
        String task = spawn("echo one; echo error: two; echo three", watcher("error: .*"));
        List<JsonObject> frames = frames(task);
        JsonObject hit = hits(task).getFirst();
        assertEquals(1, hits(task).size());
        assertEquals("w1", hit.getString("watcher_id"));
        assertEquals("found", hit.getString("event"));
        assertEquals("stdout", hit.getString("stream"));
        assertEquals(4, hit.getLong("offset_bytes"));
        assertEquals(10, hit.getInteger("bytes"));
        assertEquals("error: two", hit.getString("matched"));
        JsonObject completed = frames.get(hit.getInteger("frame_seq"));
        JsonObject log = completed.getJsonObject("artifacts").getJsonObject("log");
        assertEquals("tool_task_output_delta", completed.getString("type"));
        assertTrue(log.getLong("offset_bytes") < 14 && log.getLong("bytes_total") >= 14, completed::encode);
        assertTrue(hit.getInteger("frame_seq") < hit.getInteger("seq"));
        JsonObject added = frames.get(2);
        assertEquals("task_watcher_added", added.getString("type"));
        assertEquals("error: .*", added.getString("regex"));
    }

    @Test
    void matchInTwoWritesNamesTheFrameWithItsLastByte() throws Exception {
        String task = spawn(
                "printf 'err'; " + waitFor("two-1") + "printf 'or'; " + waitFor("two-2") + "printf ' x\\n'",
                watcher("error"));
        edge.await(task, "\"chunk\":\"err\"");
        create("two-1");
        edge.await(task, "\"type\":\"task_watcher_hit\"");
        create("two-2");
        List<JsonObject> hits = hits(task);
        assertEquals(List.of(0L), offsets(hits));
        JsonObject completed = frames(task).get(hits.getFirst().getInteger("frame_seq"));
        assertEquals("or", completed.getString("chunk"));
    }

    @Test
    void matchInTwoWritesThatDivideACharacterIsHit() throws Exception {
        String task = spawn(
                "printf 'gr\\303'; " + waitFor("half-1") + "printf '\\274n'; " + waitFor("half-2") + "echo",
                watcher("gr.n"));
        edge.await(task, "\"chunk\":\"gr");
        create("half-1");
        edge.await(task, "\"type\":\"task_watcher_hit\"");
        create("half-2");
        assertEquals(List.of("grün"), matched(hits(task)));
        assertEquals(5, hits(task).getFirst().getInteger("bytes"));
    }

    @Test
    void promptWithoutLineEndIsHitWhileTheProgramWaits() {
        String task = edge.spawn(bash("printf 'password: '; read x; echo done", "pty", watcher("^password: $")));
        edge.await(task, "\"type\":\"task_watcher_hit\"");
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"text\":\"x\\n\"}").statusCode());
        assertEquals(List.of("password: "), matched(hits(task)));
        assertEquals("pty", hits(task).getFirst().getString("stream"));
    }

    @Test
    void onceReportsTheFirstMatchOnly() {
        String task = spawn(
                "printf 'a1\\na2\\na3\\n'",
                watcher("a[0-9]").put("once", true),
                watcher("a[0-9]").put("event", "each"));
        List<JsonObject> hits = hits(task);
        assertEquals(
                1,
                hits.stream()
                        .filter(hit -> "w1".equals(hit.getString("watcher_id")))
                        .count());
        assertEquals(
                3,
                hits.stream()
                        .filter(hit -> "each".equals(hit.getString("event")))
                        .count());
    }

    @Test
    void watcherOfOneStreamIgnoresTheOther() {
        String task = spawn("echo word; echo a word >&2", watcher("word").put("stream", "stderr"));
        List<JsonObject> hits = hits(task);
        assertEquals(
                List.of("stderr"),
                hits.stream().map(hit -> hit.getString("stream")).toList());
        assertEquals(List.of(2L), offsets(hits));
    }

    @Test
    void windowSpansLinesAndLineDoesNot() {
        String task = spawn(
                "printf 'begin\\nend\\n'",
                watcher("begin\\nend").put("scope", "window"),
                watcher("begin\\nend").put("event", "never"));
        assertEquals(List.of("begin\nend"), matched(hits(task)));
    }

    @Test
    void seventeenthIsRefusedWithItsIndex() {
        JsonObject[] sixteen =
                IntStream.range(0, 16).mapToObj(i -> watcher("x" + i + "$")).toArray(JsonObject[]::new);
        String task = spawn("echo x3; sleep 600", sixteen);
        edge.await(task, "\"matched\":\"x3\"");
        JsonObject more = bash("true", "pipes", sixteen);
        more.getJsonArray("watch").add(watcher("y"));
        HttpResponse<String> refused = edge.post("/tasks", more.encode());
        assertEquals(400, refused.statusCode());
        assertEquals("watch[16]: a task has at most 16 watchers, not 17", error(refused));
        HttpResponse<String> late = add(task, watcher("y"));
        assertEquals(400, late.statusCode());
        assertEquals("a task has at most 16 watchers, not 17", error(late));
        edge.post("/tasks/" + task + "/cancel", "{}");
    }

    @Test
    void wrongWatchersAreRefusedWithIndexAndReason() {
        assertRefused("watch[1].regex: missing closing ): `(`", watcher("a"), watcher("("));
        assertRefused("watch[0].event must be a string, but is missing", new JsonObject().put("regex", "a"));
        assertRefused("watch[0].event: it is empty", watcher("a").put("event", " "));
        assertRefused(
                "watch[0].stream: the task has stdout and stderr only",
                watcher("a").put("stream", "pty"));
        assertRefused(
                "watch[0].scope must be line or window, but is \"page\"",
                watcher("a").put("scope", "page"));
        assertRefused("watch[0].regex: at most 256 characters, this one has 257", watcher("a".repeat(257)));
        String task = spawn("sleep 600");
        HttpResponse<String> late = add(task, watcher("("));
        assertEquals(400, late.statusCode());
        assertEquals("regex: missing closing ): `(`", error(late));
        assertEquals(400, add(task, watcher("a").put("from_seq", 1_000)).statusCode());
        edge.post("/tasks/" + task + "/cancel", "{}");
        edge.ended(task);
        assertEquals(409, add(task, watcher("a")).statusCode());
        assertEquals(404, add("nobody", watcher("a")).statusCode());
    }

    private void assertRefused(String message, JsonObject... watchers) {
        HttpResponse<String> refused =
                edge.post("/tasks", bash("true", "pipes", watchers).encode());
        assertEquals(400, refused.statusCode(), refused.body());
        assertEquals(message, error(refused));
    }

    @Test
    void laterWatcherMatchesFromItsFrameOn() throws Exception {
        String task = spawn("echo n1; " + waitFor("later") + "echo n2; echo n3");
        edge.await(task, "\"chunk\":\"n1\\n\"");
        HttpResponse<String> added = add(task, watcher("n[0-9]"));
        assertEquals(201, added.statusCode(), added.body());
        assertEquals("w1", new JsonObject(added.body()).getString("watcher_id"));
        create("later");
        assertEquals(List.of(3L, 6L), offsets(hits(task)));
    }

    @Test
    void earlierOutputIsMatchedOnceBeforeLaterOutput() throws Exception {
        String task = spawn("seq 1000; " + waitFor("earlier") + "seq 1001 2000");
        edge.await(task, "1000\\n");
        assertEquals(201, add(task, watcher("^[0-9]*7$").put("from_seq", 0)).statusCode());
        create("earlier");
        List<String> wanted = IntStream.rangeClosed(1, 2000)
                .filter(number -> number % 10 == 7)
                .mapToObj(String::valueOf)
                .toList();
        assertEquals(wanted, matched(hits(task)));
    }

    @Test
    void nothingIsLostOrDoubledWhenAddedInAFlood() throws Exception {
        String task = spawn("echo begin; seq 1 3000000; " + waitFor("flooded"));
        edge.await(task, "\"chunk\":\"begin");
        assertEquals(201, add(task, watcher("^[0-9]*00000$").put("from_seq", 0)).statusCode());
        create("flooded");
        List<String> wanted = IntStream.rangeClosed(1, 30)
                .mapToObj(number -> String.valueOf(number * 100_000))
                .toList();
        // The head of 16 MiB is stored; output beyond it from before the watcher was added is skipped.
        List<String> matched = matched(hits(task));
        assertEquals(matched, wanted.stream().filter(matched::contains).toList());
        assertTrue(matched.containsAll(wanted.subList(0, 20)), matched::toString);
    }

    @Test
    void floodHasExactlyTheExpectedHits() {
        String task = spawn(
                "seq 1 3000000", watcher("^[0-9]*0000$"), watcher("^2999999$").put("event", "last"));
        List<JsonObject> hits = hits(task);
        assertEquals(301, hits.size());
        for (int i = 1; i <= 300; i++) {
            String number = String.valueOf(i * 10_000);
            assertEquals(
                    1,
                    hits.stream()
                            .filter(hit -> number.equals(hit.getString("matched")))
                            .count(),
                    number);
        }
        assertEquals(0, edge.ended(task).getInteger("exit_code"));
    }

    /** Until then, the start of the line was left out, because the first watcher's text was not in it. */
    @Test
    void laterWatcherOfALongOutputTakesNothingFromTheFirst() throws Exception {
        String task = spawn(
                "seq 1 30000; printf 'half a nee'; " + waitFor("needle") + "echo dle, and more", watcher("nee+dle"));
        edge.await(task, "half a nee\"");
        assertEquals(201, add(task, watcher("dle, [a-z]+|half")).statusCode());
        create("needle");
        assertEquals(List.of("needle", "dle, and"), matched(hits(task)));
    }

    @Test
    void patternThatMatchesEverywhereIsRecordedEachTime() {
        String task = spawn("seq 1 20000", watcher("^[0-9]+$"));
        assertEquals(IntStream.rangeClosed(1, 20_000).mapToObj(String::valueOf).toList(), matched(hits(task)));
    }

    @Test
    void terminalIsWatchedToo() {
        String task = edge.spawn(bash("echo grün; echo more", "pty", watcher("gr.n")));
        assertEquals(List.of("grün"), matched(hits(task)));
        assertEquals(List.of(0L), offsets(hits(task)));
    }

    @Test
    void watchersAreListedFromTheFrames() {
        String task = spawn("sleep 600", watcher("a"), watcher("b").put("stream", "stdout"));
        add(task, watcher("c").put("once", true).put("scope", "window"));
        JsonObject listed =
                new JsonObject(edge.get("/tasks/" + task + "/watchers").body());
        List<JsonObject> watchers = listed.getJsonArray("watchers").stream()
                .map(JsonObject.class::cast)
                .toList();
        assertEquals(
                List.of("w1", "w2", "w3"),
                watchers.stream().map(each -> each.getString("watcher_id")).toList());
        assertEquals(
                List.of("a", "b", "c"),
                watchers.stream().map(each -> each.getString("regex")).toList());
        assertEquals("stdout", watchers.get(1).getString("stream"));
        assertEquals(true, watchers.get(2).getBoolean("once"));
        assertEquals("window", watchers.get(2).getString("scope"));
        edge.post("/tasks/" + task + "/cancel", "{}");
    }

    @Test
    void hitsAreListedByPagesWithoutTheOtherFrames() {
        String task = spawn("seq 1 5000", watcher("^[0-9]*7$"));
        List<JsonObject> hits = hits(task);
        var listed = new ArrayList<JsonObject>();
        Long from = 0L;
        while (from != null) {
            JsonObject page = new JsonObject(
                    edge.get("/tasks/" + task + "/hits?from_seq=" + from).body());
            page.getJsonArray("hits").forEach(hit -> listed.add((JsonObject) hit));
            from = page.getLong("next_seq");
        }
        assertEquals(500, hits.size());
        assertEquals(hits.size(), listed.size());
        for (int i = 0; i < hits.size(); i++) {
            JsonObject frame = hits.get(i);
            listed.get(i).forEach(field -> assertEquals(frame.getValue(field.getKey()), field.getValue()));
        }
        assertEquals(404, edge.get("/tasks/nobody/hits").statusCode());
        assertEquals(400, edge.get("/tasks/" + task + "/hits?from_seq=x").statusCode());
    }

    @Test
    void hitsAreItemsOfTheSessionsMailboxBeforeTheEnd() {
        String task =
                edge.spawn(bash("echo a1; echo a2", "pipes", watcher("a[12]")).put("origin_session_id", "watched"));
        List<JsonObject> hits = hits(task);
        JsonObject mailbox;
        do {
            mailbox = new JsonObject(
                    edge.get("/sessions/watched/mailbox?wait=20000").body());
        } while (mailbox.getInteger("waiting") < 3);
        List<JsonObject> items = mailbox.getJsonArray("items").stream()
                .map(JsonObject.class::cast)
                .toList();
        assertEquals(
                List.of("session_watcher_hit", "session_watcher_hit", "tool_ended"),
                items.stream().map(item -> item.getString("type")).toList());
        assertEquals(List.of("a1", "a2"), matched(items.subList(0, 2)));
        assertEquals(
                hits.stream().map(hit -> hit.getLong("seq")).toList(),
                items.subList(0, 2).stream()
                        .map(item -> item.getLong("task_seq"))
                        .toList());
    }

    /** Each of these patterns keeps hundreds of instructions busy at each character, so that a second suffices for some 20 KiB. */
    @Test
    @Tag("long")
    void slowPatternsSlowOnlyTheirTask() {
        JsonObject[] slow = IntStream.range(0, 7)
                .mapToObj(i -> watcher("(?:[a-q].{0,30}){7}b{9}c" + i))
                .toArray(JsonObject[]::new);
        String task =
                spawn("a=$(printf 'a%.0s' {1..3000}); for i in {1..3000}; do printf %sbbbbc$((i % 7)) $a; done", slow);
        edge.await(task, "\"type\":\"tool_task_output_delta\"");
        List<String> others =
                IntStream.range(0, 20).mapToObj(i -> spawn("echo " + i)).toList();
        others.forEach(other -> assertEquals(0, edge.ended(other).getInteger("exit_code")));
        assertEquals("running", new JsonObject(edge.get("/tasks/" + task).body()).getString("phase"));
        edge.post("/tasks/" + task + "/cancel", "{}");
        assertEquals("cancelled", edge.ended(task).getString("status"));
        assertTrue(frames(task).stream().anyMatch(frame -> "watchers_ended".equals(frame.getString("code"))));
    }
}
