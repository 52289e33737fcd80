package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions, mailboxes and shell runs across kill -9 of the server. */
@Tag("server")
class SessionRestartTest {

    /** Tasks that run at once. */
    private static final int RUNNING = 4;

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start() {
        return ServerProcess.ready(
                data,
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                workspace.toString(),
                "--max-running",
                String.valueOf(RUNNING));
    }

    @Test
    void eachEndIsInTheMailboxOnceWheneverTheServerWasKilled() throws Exception {
        Set<String> spawned = new HashSet<>();
        long acknowledged = -1;
        for (int round = 0; round < 3; round++) {
            try (ServerProcess server = start();
                    var client = new TaskClient(server)) {
                for (int i = 0; i < 8; i++) {
                    String command = i % 4 == 3 ? "sleep 600" : "true";
                    spawned.add(client.spawn(TaskClient.bash(command).put("origin_session_id", "s")));
                }
                // Killed as soon as the first end of this round is seen: others are ending at this moment.
                acknowledged = waitForItem(client, acknowledged + 1);
                server.signal("KILL");
                server.handle().onExit().join();
            }
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (String task : spawned) {
                client.post("/tasks/" + task + "/cancel", new JsonObject());
                client.ended(task);
            }
            List<String> ended = new ArrayList<>();
            long from = 0;
            while (ended.size() < spawned.size()) {
                JsonObject page = json(client, "/sessions/s/mailbox?wait=20000&from_seq=" + from);
                assertTrue(!page.getJsonArray("items").isEmpty(), () -> "missing ends: " + missing(spawned, ended));
                from = page.getLong("next_seq");
                items(page).forEach(item -> ended.add(item.getString("task_id")));
            }
            Map<String, Long> times =
                    ended.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
            assertEquals(spawned, times.keySet());
            assertTrue(times.values().stream().allMatch(count -> count == 1), times::toString);
            JsonObject session = json(client, "/sessions/s");
            assertEquals(spawned.size(), session.getInteger("tasks_ended"));
            assertEquals(spawned.size(), session.getInteger("tasks_started"));
        }
    }

    @Test
    void queuedRunsOfManySessionsContinueInOrder() throws IOException {
        int sessions = 10;
        List<String> runs = new ArrayList<>();
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (int i = 0; i < 3 * sessions; i++) {
                Path file = workspace.resolve("of-" + i % sessions);
                // The first ones run until they are killed, and end at once when they run again; all others are queued.
                String command = i < RUNNING
                        ? "[ -e " + file + " ] && exit; touch " + file + "; echo started; sleep 600"
                        : i < sessions ? "touch " + file : "echo " + i / sessions + " >> " + file;
                runs.add(run(client, command, "session-" + i % sessions));
            }
            runs.subList(0, RUNNING).forEach(first -> client.untilShown(first, "started"));
            server.signal("KILL");
            server.handle().onExit().join();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (String run : runs) {
                assertEquals("succeeded", poll(client, run).getString("status"));
            }
            for (int session = 0; session < sessions; session++) {
                assertEquals("1\n2\n", Files.readString(workspace.resolve("of-" + session)));
            }
        }
    }

    @Test
    void pollAndLogContinueWithTheSameCursors() {
        String run;
        JsonObject before;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            Path again = workspace.resolve("again");
            run = run(
                    client,
                    "[ -e " + again + " ] && n=2; touch " + again + "; echo one; echo two; [ $n ] || sleep 600",
                    "s");
            client.untilShown(run, "two");
            before = shell(client, new JsonObject().put("action", "poll").put("run_id", run));
            server.signal("KILL");
            server.handle().onExit().join();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            client.ended(run);
            JsonObject after = shell(
                    client,
                    new JsonObject()
                            .put("action", "poll")
                            .put("run_id", run)
                            .put("since_seq", before.getLong("next_seq")));
            assertEquals("succeeded", after.getString("status"));
            assertEquals("queued again as run 2", items(after).getFirst().getString("payload"));
            assertEquals("one\ntwo\n", stdout(after));
            assertEquals("one\ntwo\none\ntwo\n", after.getString("snippet"));
            JsonObject all = shell(client, new JsonObject().put("action", "log").put("run_id", run));
            assertEquals(items(before), items(all).subList(0, items(before).size()));
        }
    }

    @Test
    void mergedHitsOfADeadServerAreInTheMailboxOnce() throws Exception {
        // So many unread items that matches are merged for a minute.
        int unread = 7 * Limits.MAILBOX_MERGE_FROM;
        PastServer.ended(data, unread, 0, "s");
        String task;
        long itemsFrom;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            itemsFrom = json(client, "/sessions/s").getLong("next_seq");
            task = client.spawn(TaskClient.bash("seq 1 500; sleep 600")
                    .put("origin_session_id", "s")
                    .put(
                            "watch",
                            new JsonArray()
                                    .add(new JsonObject()
                                            .put("regex", "^[0-9]+$")
                                            .put("event", "number"))
                                    .add(new JsonObject().put("regex", "00$").put("event", "hundred"))));
            client.until(
                    task,
                    frame -> "hundred".equals(frame.getString("event")) && frame.getInteger("offset_bytes", 0) > 1_800);
            assertEquals(unread, json(client, "/sessions/s").getInteger("mailbox_waiting"), "all are in memory only");
            server.signal("KILL");
            server.handle().onExit().join();
        }
        try (ServerProcess server = start()) {
            // While it records them, or before, or after.
            server.signal("KILL");
            server.handle().onExit().join();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            client.ended(task);
            List<JsonObject> items = itemsUntilTheEnd(client, task, itemsFrom);
            List<JsonObject> hits = TaskClient.ofType(client.events(task), "task_watcher_hit");
            assertEquals(505, hits.size());
            for (String watcher : List.of("w1", "w2")) {
                List<Long> seqs = hits.stream()
                        .filter(hit -> watcher.equals(hit.getString("watcher_id")))
                        .map(hit -> hit.getLong("seq"))
                        .toList();
                var mailed = new ArrayList<Long>();
                for (JsonObject item : items) {
                    if (watcher.equals(item.getString("watcher_id"))) {
                        long first = item.getLong("task_seq");
                        long last = item.getLong("last_task_seq", first);
                        List<Long> merged = seqs.stream()
                                .filter(seq -> seq >= first && seq <= last)
                                .toList();
                        assertEquals(item.getLong("count", 1L), merged.size(), item::encode);
                        mailed.addAll(merged);
                    }
                }
                assertEquals(seqs, mailed);
            }
            assertEquals("tool_ended", items.getLast().getString("type"));
        }
    }

    /** The items about a task from this frame of the session on, up to its end. */
    private static List<JsonObject> itemsUntilTheEnd(TaskClient client, String task, long fromSeq) {
        var items = new ArrayList<JsonObject>();
        long from = fromSeq;
        while (items.isEmpty() || !"tool_ended".equals(items.getLast().getString("type"))) {
            JsonObject page = json(client, "/sessions/s/mailbox?wait=20000&from_seq=" + from);
            from = page.getLong("next_seq");
            items(page).stream()
                    .filter(item -> task.equals(item.getString("task_id")))
                    .forEach(items::add);
        }
        return items;
    }

    private static String stdout(JsonObject page) {
        return items(page).stream()
                .filter(item -> "stdout".equals(item.getString("type")))
                .map(item -> item.getString("payload"))
                .collect(Collectors.joining());
    }

    private static Set<String> missing(Set<String> spawned, List<String> ended) {
        Set<String> missing = new HashSet<>(spawned);
        ended.forEach(missing::remove);
        return missing;
    }

    private static long waitForItem(TaskClient client, long fromSeq) {
        JsonObject page = json(client, "/sessions/s/mailbox?wait=20000&limit=1&from_seq=" + fromSeq);
        return items(page).getFirst().getLong("seq");
    }

    private static String run(TaskClient client, String command, String session) {
        return shell(
                        client,
                        new JsonObject()
                                .put("action", "spawn")
                                .put("command", command)
                                .put("session_id", session)
                                .put("timeout_secs", 600))
                .getString("run_id");
    }

    /** The run once it has ended. */
    private static JsonObject poll(TaskClient client, String run) {
        client.ended(run);
        return shell(client, new JsonObject().put("action", "poll").put("run_id", run));
    }

    private static JsonObject shell(TaskClient client, JsonObject parameters) {
        var answer = client.post("/tools/shell", parameters);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static JsonObject json(TaskClient client, String path) {
        var answer = client.get(path);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static List<JsonObject> items(JsonObject page) {
        JsonArray items = page.getJsonArray("items");
        return items.stream().map(JsonObject.class::cast).toList();
    }
}
