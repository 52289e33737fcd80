package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Sentences and snippets of the items of a mailbox, of real programs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailboxItemsTest {

    private RunningEdge edge;

    @BeforeAll
    void start(@TempDir Path folder) {
        edge = new RunningEdge(folder);
    }

    @AfterAll
    void stop() {
        edge.close();
    }

    private JsonObject bash(String session, String command) {
        return new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", "pipes")
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command));
    }

    private String run(JsonObject spawn) {
        String task = edge.spawn(spawn);
        edge.ended(task);
        return task;
    }

    private static JsonArray watch(String regex) {
        return new JsonArray()
                .add(new JsonObject().put("regex", regex).put("event", "found").put("once", true));
    }

    /** The mailbox once the end of its last task is in it. */
    private List<JsonObject> items(String session, String query, int ends) {
        JsonObject all;
        do {
            all = json(edge.get("/sessions/" + session));
        } while (all.getInteger("tasks_ended") < ends);
        return json(edge.get("/sessions/" + session + "/mailbox" + query)).getJsonArray("items").stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    @Test
    void sentencesSayWhatHappened() {
        String hit = run(bash("said", "echo found").put("watch", watch("found")));
        String failed = run(bash("said", "exit 3").put("title", "a build"));
        run(bash("said", "true").put("label", "code-review"));
        List<String> texts = items("said", "", 3).stream()
                .map(item -> item.getString("text"))
                .toList();
        assertEquals("Shell watcher `found` matched for run `" + hit + "`.", texts.getFirst());
        assertTrue(texts.get(1).matches("Background task \"" + hit + "\" completed \\(\\d+s\\)\\."), texts.get(1));
        assertTrue(texts.get(2).matches("Background task \"a build\" failed with exit code 3 \\(\\d+s\\)\\."));
        assertTrue(texts.get(3).startsWith("Background task \"code-review\" completed"), failed);
    }

    @Test
    void snippetIsTheEndOfTheOutputUpToTheItem() throws Exception {
        String task =
                edge.spawn(bash("snip", "seq 1 3000; echo found; until [ -e go ]; do sleep 0.01; done; echo later >&2")
                        .put("watch", watch("found")));
        edge.await(task, "\"type\":\"task_watcher_hit\"");
        Files.createFile(edge.workspace.resolve("go"));
        edge.ended(task);
        List<JsonObject> items = items("snip", "?snippet=true", 1);
        String atHit = items.getFirst().getString("snippet");
        assertEquals(4096, atHit.length());
        assertTrue(atHit.endsWith("2999\n3000\nfound\n"), atHit);
        String atEnd = items.getLast().getString("snippet");
        assertEquals(4096, atEnd.length());
        assertTrue(atEnd.endsWith("3000\nfound\nlater\n"), atEnd);
        assertFalse(items("snip", "", 1).getFirst().containsKey("snippet"));
    }

    @Test
    void snippetOfRemovedOutputIsNullAndOfNoOutputEmpty() {
        String task = run(bash("removed", "echo gone"));
        String silent = run(bash("removed", "true"));
        edge.send(edge.to("/tasks/" + task + "/output/stdout").DELETE().build());
        List<JsonObject> items = items("removed", "?snippet=true", 2);
        assertTrue(items.getFirst().containsKey("snippet"));
        assertNull(items.getFirst().getString("snippet"));
        assertEquals("", items.getLast().getString("snippet"), silent);
    }

    @Test
    void pageWithSnippetsIsBounded() {
        run(bash("many", "seq 1 120")
                .put(
                        "watch",
                        new JsonArray()
                                .add(new JsonObject().put("regex", "^[0-9]+$").put("event", "n"))));
        assertEquals(121, items("many", "", 1).size());
        assertEquals(50, items("many", "?snippet=true", 1).size());
        assertEquals(400, edge.get("/sessions/many/mailbox?snippet=yes").statusCode());
    }

    @Test
    void floodOfMatchesThatNobodyReadsIsMerged() {
        run(bash("flood", "seq 1 20000")
                .put(
                        "watch",
                        new JsonArray()
                                .add(new JsonObject().put("regex", "^[0-9]+$").put("event", "n"))));
        long last = -1;
        long matches = 0;
        int items = 0;
        long from = 0;
        List<JsonObject> page = items("flood", "", 1);
        while (!page.isEmpty()) {
            for (JsonObject item : page) {
                items++;
                if (item.getString("type").equals("session_watcher_hit")) {
                    matches += item.getLong("count", 1L);
                    assertTrue(item.getLong("task_seq") > last);
                    last = item.getLong("last_task_seq", item.getLong("task_seq"));
                }
            }
            from = page.getLast().getLong("seq") + 1;
            page = items("flood", "?from_seq=" + from, 1);
        }
        assertEquals(20_000, matches);
        assertTrue(items < 600, items + " items");
    }
}
