package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What is listed, in which order, and page by page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskListTest {

    private RunningEdge edge;

    @BeforeAll
    void start(@TempDir Path folder) {
        edge = new RunningEdge(folder);
    }

    @AfterAll
    void stop() {
        edge.close();
    }

    @Test
    void filtersNarrowEachOther() {
        String runs = spawn("mix", "Build docs", "sleep 60");
        edge.await(runs, "\"status\":\"running\"");
        String exited = spawn("mix", "build all", "exit 3");
        edge.ended(exited);
        String cancelled = spawn("mix", "test", "sleep 60");
        edge.await(cancelled, "\"status\":\"running\"");
        edge.post("/tasks/" + cancelled + "/cancel", "{}");
        edge.ended(cancelled);

        assertEquals(List.of(cancelled, exited, runs), ids("?session=mix"));
        assertEquals(List.of(runs), ids("?session=mix&status=running"));
        assertEquals(List.of(exited), ids("?session=mix&status=exited"));
        assertEquals(List.of(cancelled), ids("?session=mix&status=cancelled"));
        assertEquals(List.of(), ids("?session=mix&status=failed"));
        assertEquals(List.of(), ids("?session=mix&status=queued"));
        assertEquals(List.of(exited, runs), ids("?session=mix&text=build"));
        assertEquals(List.of(runs), ids("?session=mix&text=build&status=running"));
        assertEquals(List.of(exited), ids("?text=build%20all"));
        assertEquals(List.of(), ids("?session=nobody"));

        JsonArray listed = list("?session=mix").getJsonArray("tasks");
        for (Object task : listed) {
            String id = ((JsonObject) task).getString("task_id");
            assertEquals(new JsonObject(edge.get("/tasks/" + id).body()), task);
        }
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrDouble() {
        var newestFirst = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(spawn("pages", "page " + i, "true"));
        }
        var seen = new ArrayList<String>();
        @Nullable String cursor = null;
        do {
            JsonObject page = list("?session=pages&limit=2" + (cursor == null ? "" : "&cursor=" + cursor));
            assertTrue(page.containsKey("next_cursor"));
            seen.addAll(ids(page));
            cursor = page.getString("next_cursor");
        } while (cursor != null);
        assertEquals(newestFirst, seen);
    }

    private String spawn(String session, String title, String command) {
        return edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("title", title)
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command)));
    }

    private List<String> ids(String query) {
        return ids(list(query));
    }

    private static List<String> ids(JsonObject page) {
        return page.getJsonArray("tasks").stream()
                .map(task -> ((JsonObject) task).getString("task_id"))
                .toList();
    }

    private JsonObject list(String query) {
        var answer = edge.get("/tasks" + query);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }
}
