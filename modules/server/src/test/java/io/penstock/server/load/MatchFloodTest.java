package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Watchers of real programs whose output matches all the time, or whose patterns take exponential time elsewhere. */
@Tag("long")
class MatchFloodTest extends OneServer {

    private static final int MATCHES = 30_000;

    /** Patterns on which backtracking takes exponential time. */
    private static final List<String> CATASTROPHIC = List.of(
            "(a+)+$",
            "(a|aa)+$",
            "x*x*x*x*x*x*x*x*x*x*x*x*b",
            "(.*)*c",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(a?){30}a{30}b");

    private String spawn(String command, String session, List<String> patterns) {
        JsonArray watch = new JsonArray(patterns.stream()
                .map(pattern -> new JsonObject().put("regex", pattern).put("event", pattern))
                .toList());
        return client.spawn(
                TaskClient.bash(command).put("origin_session_id", session).put("watch", watch));
    }

    @Test
    void everyMatchOfAFloodIsRecordedAndMailedOnce() {
        String task = spawn("yes match | head -n " + MATCHES, "match-flood", List.of("^match$"));
        List<JsonObject> frames = client.events(task);
        List<JsonObject> hits = TaskClient.ofType(frames, "task_watcher_hit");
        assertEquals(
                LongStream.range(0, MATCHES).mapToObj(i -> i * 6).toList(),
                hits.stream().map(hit -> hit.getLong("offset_bytes")).toList());
        assertEquals(0, frames.getLast().getInteger("exit_code"));
        assertEquals(MATCHES, mailed("match-flood", task));
    }

    /** The matches of the task in the mailbox, once its end is there. */
    private long mailed(String session, String task) {
        long matches = 0;
        long from = 0;
        while (true) {
            JsonObject page = new JsonObject(client.get("/sessions/" + session + "/mailbox?wait=20000&from_seq=" + from)
                    .body());
            from = page.getLong("next_seq");
            for (Object each : page.getJsonArray("items")) {
                var item = (JsonObject) each;
                if (item.getString("type").equals("tool_ended")) {
                    assertEquals(task, item.getString("task_id"));
                    return matches;
                }
                matches += item.getLong("count", 1L);
            }
        }
    }

    /**
     * A search that takes quadratic time would not be done with a MiB in the seconds for which the end of a task waits, and one that takes
     * exponential time never: a notice would say so.
     */
    @Test
    void catastrophicPatternsReadAMebibyteInTime() {
        String line = "printf 'a%.0s' {1..60000}; echo !";
        String task = spawn(
                "line=$(" + line + "); for i in {1..17}; do echo \"$line\"; done; echo aaa; echo $line >&2",
                "catastrophic",
                CATASTROPHIC);
        List<JsonObject> frames = client.events(task);
        assertEquals("succeeded", frames.getLast().getString("outcome"));
        assertEquals(
                List.of(),
                TaskClient.ofType(frames, "task_notice").stream()
                        .map(JsonObject::encode)
                        .toList());
        assertEquals(
                List.of("w1", "w2"),
                TaskClient.ofType(frames, "task_watcher_hit").stream()
                        .filter(hit -> "aaa".equals(hit.getString("matched")))
                        .map(hit -> hit.getString("watcher_id"))
                        .sorted()
                        .toList());
    }
}
