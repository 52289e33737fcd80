package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The items of shell runs, page by page. */
class ShellItemsTest extends ShellTestBed {

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
    void cursorBeyondTheEndReturnsNothing() {
        JsonObject poll = poll(spawn("true"), 1_000_000, 0);
        assertEquals(1_000_000, poll.getLong("next_seq"));
        assertEquals(new JsonArray(), poll.getJsonArray("items"));
    }

    @Test
    void pollAndLogShareTheirItemsAndCursors() {
        String run = spawn("echo one; echo two >&2; exit 1");
        JsonObject poll = ended(run);
        JsonObject log = log(run, 0, 500, null);
        assertEquals(items(poll), items(log));
        assertEquals(poll.getLong("next_seq"), log.getLong("next_seq"));
        JsonObject first = log(run, 0, 2, null);
        List<JsonObject> rest = items(poll(run, first.getLong("next_seq"), 0));
        assertEquals(items(log).subList(2, items(log).size()), rest);
    }

    @Test
    void streamSelectsTheItemsOfOneOutput() {
        String run = spawn("echo a; echo b >&2; echo c");
        ended(run);
        List<JsonObject> out = items(log(run, 0, 500, "stdout"));
        assertEquals(Set.of("stdout"), types(out));
        assertEquals("a\nc\n", text(out, "stdout"));
        assertEquals(Set.of("stderr"), types(items(log(run, 0, 500, "stderr"))));
    }

    /** Each match of a watcher is an item. */
    @Test
    void pageHasAtMost256ItemsAndOf500IfAsked() {
        String run = shell("{\"action\":\"spawn\",\"command\":\"seq 1 1000\",\"session_id\":\"pages\","
                        + "\"watch\":[{\"regex\":\"^[0-9]+$\",\"event\":\"n\"}]}")
                .getString("run_id");
        edge.ended(run);
        assertEquals(256, items(poll(run, 0, 0)).size());
        assertEquals(
                256,
                items(shell("{\"action\":\"log\",\"run_id\":\"" + run + "\"}")).size());
        assertEquals(500, items(log(run, 0, 500, null)).size());
        var matched = new ArrayList<String>();
        long since = 0;
        JsonObject page;
        do {
            page = log(run, since, 500, null);
            since = page.getLong("next_seq");
            items(page).stream()
                    .filter(item -> "event".equals(item.getString("type")))
                    .forEach(item -> matched.add(item.getJsonObject("meta_json").getString("matched")));
        } while (!page.getJsonArray("items").isEmpty());
        assertEquals(IntStream.rangeClosed(1, 1_000).mapToObj(String::valueOf).toList(), matched);
    }

    @Test
    void itemHasAtMost64KiB() {
        String run = spawn("head -c 300000 /dev/zero | tr '\\0' x");
        edge.ended(run);
        var all = new StringBuilder();
        long since = 0;
        JsonObject page;
        do {
            page = log(run, since, 500, "stdout");
            since = page.getLong("next_seq");
            items(page).forEach(item -> assertTrue(item.getString("payload").length() <= 65_536));
            all.append(text(items(page), "stdout"));
        } while (!page.getJsonArray("items").isEmpty());
        assertEquals("x".repeat(300_000), all.toString());
    }

    @Test
    void cursorsOutliveTheOutput() {
        String run = spawn("echo gone; exit 2");
        JsonObject before = ended(run);
        edge.send(edge.to("/tasks/" + run + "/output/stdout").DELETE().build());
        JsonObject after = poll(run, 0, 0);
        assertEquals(before.getLong("next_seq"), after.getLong("next_seq"));
        assertEquals("failed", after.getString("status"));
        assertEquals("", after.getString("snippet"));
        assertEquals(
                items(before).stream().map(item -> item.getLong("seq")).toList(),
                items(after).stream().map(item -> item.getLong("seq")).toList());
        assertEquals("", text(items(after), "stdout"));
    }

    private static Set<String> types(List<JsonObject> items) {
        return items.stream().map(item -> item.getString("type")).collect(Collectors.toSet());
    }
}
