package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tasks that are listed, in which order, and page by page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class TaskListTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void filtersAreCombined() {
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

        JsonArray listed = list("?session=mix");
        for (Object task : listed) {
            String id = ((JsonObject) task).getString("task_id");
            JsonObject state = new JsonObject(edge.get("/tasks/" + id).body());
            assertEquals(state.put("last_line", ""), task);
        }
    }

    @Test
    void pagesHaveNoGapsAndNoDuplicates() {
        var newestFirst = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(spawn("pages", "page " + i, "true"));
        }
        var seen = new ArrayList<String>();
        @Nullable String address = "/tasks?session=pages&limit=2";
        for (int pages = 1; address != null; pages++) {
            HttpResponse<String> answer = edge.get(address);
            seen.addAll(ids(new JsonArray(answer.body())));
            address = next(answer);
            assertEquals(pages < 3, address != null);
        }
        assertEquals(newestFirst, seen);
    }

    @Test
    void nextPageKeepsTheFilters() {
        String text = "a&b=c%20\"<>é";
        String older = spawn("linked", text, "true");
        String newer = spawn("linked", text, "true");
        HttpResponse<String> first =
                edge.get("/tasks?text=" + URLEncoder.encode(text, StandardCharsets.UTF_8) + "&limit=1");
        assertEquals(List.of(newer), ids(new JsonArray(first.body())));
        String address = Objects.requireNonNull(next(first));
        assertEquals(List.of(older), ids(new JsonArray(edge.get(address).body())));
    }

    @Test
    void labelFindsItsTasksNewestFirst() {
        String first = spawn("lab", "one", "exit 0", "drokova-research");
        edge.ended(first);
        String again = spawn("lab", "two", "sleep 60", "drokova-research");
        String elsewhere = spawn("lab2", "three", "sleep 60", "drokova-research");
        String other = spawn("lab", "drokova-research", "sleep 60", "drokova-research-2");
        for (String task : List.of(again, elsewhere, other)) {
            edge.await(task, "\"status\":\"running\"");
        }
        assertEquals(List.of(again, first), ids("?session=lab&label=drokova-research"));
        assertEquals(List.of(elsewhere, again, first), ids("?label=drokova-research"));
        assertEquals(List.of(again), ids("?session=lab&label=drokova-research&status=running"));
        assertEquals(List.of(other, again, first), ids("?session=lab&text=DROKOVA"));
        assertEquals(List.of(), ids("?label=Drokova-research"));
        assertEquals(List.of(), ids("?text=drokova_research"));
        assertEquals(List.of(), ids("?text=%25research"));
        assertEquals(List.of(), ids("?text=%27%22%3B--"));
        assertEquals(
                "drokova-research", new JsonObject(edge.get("/tasks/" + again).body()).getString("label"));
        assertEquals(
                "drokova-research",
                list("?label=drokova-research").getJsonObject(2).getString("label"));
    }

    @Test
    void rowHasTheLineThatCameLast() {
        String task = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("label", "last-line")
                .put("stdin", "open")
                .put("args", new JsonObject().put("command", """
                        echo one >&2; read -r; printf '\033[32mtwo\033[0m\tdone\n\n'; read -r; echo three >&2; read -r""")));
        edge.await(task, "\"chunk\":\"one");
        assertEquals("one", lastLine("last-line"));
        edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"Cg==\"}");
        // The command has the words too, but not as a chunk.
        edge.await(task, "\"chunk\":\"\\u001B[32mtwo\\u001B[0m\\tdone");
        assertEquals("two done", lastLine("last-line"));
        edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"Cg==\"}");
        edge.await(task, "\"chunk\":\"three");
        assertEquals("three", lastLine("last-line"));
        edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"Cg==\"}");
        edge.ended(task);
        assertEquals("three", lastLine("last-line"));
    }

    @Test
    void paintedScreenHasNoLastLine() {
        edge.ended(spawn("paint", "painted", "printf 'before\\033[2;1Hpainted'", "painted"));
        assertEquals("", lastLine("painted"));
    }

    @Test
    void commandIsSearched() {
        String found = spawn("cmd", "a title", "true --context Staging");
        String words = edge.spawn(new JsonObject()
                .put("tool", "exec")
                .put("origin_session_id", "cmd")
                .put("args", new JsonObject().put("argv", JsonArray.of("true", "--context", "staging"))));
        spawn("cmd", "another", "true --context live");
        assertEquals(List.of(words, found), ids("?session=cmd&text=context%20STAGING"));
        String late = "x".repeat(1000) + "behind";
        spawn("cmd", "long", "true " + late);
        assertEquals(List.of(), ids("?session=cmd&text=behind"));
    }

    @Test
    void countsAreThoseOfTheLists() {
        edge.ended(spawn("count", "one", "true", "counted"));
        edge.ended(spawn("count", "two", "exit 3", "counted"));
        edge.await(spawn("count", "three", "sleep 600", "counted"), "\"status\":\"running\"");
        JsonObject counts =
                new JsonObject(edge.get("/tasks/counts?label=counted").body());
        assertEquals(3, counts.getInteger("all"));
        for (String word : counts.fieldNames()) {
            if (!List.of("all", "truncated").contains(word)) {
                assertEquals(ids("?label=counted&status=" + word).size(), counts.getInteger(word), word);
            }
        }
        assertEquals(1, counts.getInteger("unsuccessful"));
        assertEquals(
                0,
                new JsonObject(edge.get("/tasks/counts?label=counted&text=four").body()).getInteger("all"));
    }

    @Test
    void taskThatNoLongerMatchesIsGone() {
        String runs = spawn("feed", "runs", "sleep 600", "fed");
        edge.await(runs, "\"status\":\"running\"");
        try (Stream<JsonObject> changes = changes("label=fed&status=running")) {
            edge.post("/tasks/" + runs + "/cancel", "{}");
            assertTrue(changes.anyMatch(change -> change.getJsonArray("gone").contains(runs)));
        }
    }

    @Test
    void changesOfOtherListsAreNotTold() {
        try (Stream<JsonObject> changes = changes("label=mine")) {
            edge.ended(spawn("feed", "other", "true", "other"));
            String mine = spawn("feed", "mine", "echo hello", "mine");
            JsonArray rows = changes.map(change -> change.getJsonArray("tasks"))
                    .filter(told -> !told.isEmpty())
                    .findFirst()
                    .orElseThrow();
            assertEquals(List.of(mine), ids(rows));
        }
    }

    @Test
    void changedRowIsThatOfTheList() {
        try (Stream<JsonObject> changes = changes("label=row")) {
            String task = spawn("feed", "row", "echo hello", "row");
            JsonObject told = changes.flatMap(change -> change.getJsonArray("tasks").stream())
                    .map(JsonObject.class::cast)
                    .filter(row -> "succeeded".equals(row.getString("outcome")))
                    .findFirst()
                    .orElseThrow();
            assertEquals(task, told.getString("task_id"));
            assertEquals(list("?label=row").getJsonObject(0), told);
        }
    }

    private Stream<JsonObject> changes(String query) {
        return edge.lines("/tasks/changes?" + query)
                .filter(line -> line.startsWith("data: "))
                .map(line -> new JsonObject(line.substring("data: ".length())));
    }

    private String lastLine(String label) {
        return list("?label=" + label).getJsonObject(0).getString("last_line");
    }

    private String spawn(String session, String title, String command, String label) {
        return edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("title", title)
                .put("label", label)
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command)));
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

    private static List<String> ids(JsonArray page) {
        return page.stream()
                .map(task -> ((JsonObject) task).getString("task_id"))
                .toList();
    }

    private JsonArray list(String query) {
        var answer = edge.get("/tasks" + query);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonArray(answer.body());
    }

    private static @Nullable String next(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("link")
                .map(link -> link.substring(1, link.indexOf(">; rel=\"next\"")))
                .orElse(null);
    }
}
