package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks that are queued when the server ends: the next one starts each of them once, in order of arrival. */
@Tag("server")
class QueueRestartTest {

    private static final int WAITING = 30;

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @BeforeEach
    void rulesThatDenyNothing() throws IOException {
        Files.writeString(data.resolve("rules.yaml"), "rules: []");
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start(String running) {
        return ServerProcess.ready(
                data,
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                workspace.toString(),
                "--policy",
                data.resolve("rules.yaml").toString(),
                "--max-running",
                running);
    }

    private static JsonObject note(int number) {
        return TaskClient.bash("echo " + number + " >> ran")
                .put("label", "note-" + number)
                .put("origin_session_id", number % 3 == 0 ? null : "s" + number % 3);
    }

    private List<Integer> ran() throws IOException {
        return Files.readAllLines(workspace.resolve("ran")).stream()
                .map(Integer::valueOf)
                .toList();
    }

    private static void end(ServerProcess server, String signal) throws Exception {
        List<ProcessHandle> postgres = server.handle()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("postgres"))
                .toList();
        server.signal(signal);
        server.exitCode();
        for (ProcessHandle one : postgres) {
            one.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    private static List<String> queued(TaskClient client) {
        JsonArray tasks =
                new JsonArray(client.get("/tasks?limit=200&status=queued").body());
        return tasks.stream()
                .map(task -> ((JsonObject) task).getString("task_id"))
                .toList();
    }

    private List<String> fill(TaskClient client, int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(number -> client.spawn(note(number)))
                .toList();
    }

    private List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(folder))) {
            return files.toList();
        }
    }

    private void checkAllRanInOrder(TaskClient client, List<String> tasks) throws IOException {
        for (String task : tasks) {
            assertEquals(0, client.ended(task).getInteger("exit_code"), task);
        }
        assertEquals(IntStream.range(0, tasks.size()).boxed().toList(), ran());
        for (String task : tasks) {
            List<String> words = client.events(task).stream()
                    .map(frame -> frame.getString("status"))
                    .filter(status -> status != null)
                    .toList();
            assertEquals(List.of("queued", "running", "exited"), words, task);
            String label = "note-" + tasks.indexOf(task);
            JsonArray called = new JsonArray(client.get("/tasks?label=" + label).body());
            assertEquals(1, called.size(), label);
            assertEquals(task, called.getJsonObject(0).getString("task_id"), label);
        }
        assertEquals(List.of(), files("queue"));
    }

    @Test
    void stopAndKillKeepTheQueueAndWhatWasAllowed() throws Exception {
        String first;
        var tasks = new ArrayList<String>();
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            first = client.spawn(TaskClient.bash("exec sleep 600"));
            tasks.addAll(fill(client, 0, WAITING));
            end(server, "TERM");
        }
        String second;
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            assertEquals("cancelled", client.ended(first).getString("status"));
            // All have run, otherwise one more server would not find the same queue: so this one must not start any.
            checkAllRanInOrder(client, tasks);
            second = client.spawn(TaskClient.bash("exec sleep 600"));
            tasks.addAll(fill(client, WAITING, WAITING));
            assertEquals(tasks.subList(WAITING, 2 * WAITING).reversed(), queued(client));
            end(server, "KILL");
        }
        Files.writeString(
                data.resolve("rules.yaml"), "rules: [{name: no-more, when: 'true', verdict: deny, reason: changed}]");
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            assertEquals("lost", client.ended(second).getString("outcome"));
            checkAllRanInOrder(client, tasks);
            assertEquals(403, client.post("/tasks", note(99)).statusCode());
            end(server, "TERM");
        }
        // A task's file is deleted after its end is seen, and before the server ends.
        assertEquals(List.of(), files("live"));
    }

    @Test
    void aStartThatCannotListenLeavesTheQueueAsItWas() throws Exception {
        String task;
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            client.spawn(TaskClient.bash("exec sleep 600"));
            task = client.spawn(TaskClient.bash("sleep 1; echo 0 >> ran").put("label", "note-0"));
            end(server, "TERM");
        }
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server =
                        ServerProcess.begin(data, "--port", Integer.toString(taken.getLocalPort()), "--auth", "off")) {
            assertEquals(1, server.exitCode(), () -> server.said().toString());
        }
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            checkAllRanInOrder(client, List.of(task));
        }
    }

    @Test
    void whatWaitsTwiceKeepsItsPlaceBeforeThoseWhoCameLater() throws Exception {
        var tasks = new ArrayList<String>();
        Path go = workspace.resolve("go");
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            client.spawn(TaskClient.bash("exec sleep 600"));
            tasks.add(client.spawn(TaskClient.bash("until [ -e " + go + " ]; do sleep 0.02; done; echo 0 >> ran")));
            tasks.addAll(fill(client, 1, 5));
            end(server, "KILL");
        }
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            client.until(tasks.getFirst(), frame -> "running".equals(frame.getString("status")));
            assertEquals(tasks.subList(1, 6).reversed(), queued(client));
            tasks.addAll(fill(client, 6, 5));
            assertEquals(tasks.subList(1, 11).reversed(), queued(client));
            end(server, "TERM");
        }
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            for (String task : tasks.subList(1, 11)) {
                assertEquals("exited", client.ended(task).getString("status"));
            }
            assertEquals(IntStream.range(1, 11).boxed().toList(), ran());
            assertEquals("cancelled", client.ended(tasks.getFirst()).getString("status"));
        }
    }

    @Test
    void aFileThatCannotBeReadEndsItsTaskAndKeepsNoOtherFromRunning() throws Exception {
        List<String> tasks;
        String cancelled;
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            client.spawn(TaskClient.bash("exec sleep 600"));
            tasks = fill(client, 0, 4);
            cancelled = client.spawn(TaskClient.bash("touch never"));
            end(server, "KILL");
        }
        Path queue = data.resolve("queue");
        Files.writeString(queue.resolve(tasks.get(1)), "{\"arrival\":1,\"environment\":{\"WORD\":\"hunter2\"}");
        Files.writeString(queue.resolve("no task's"), "something else");
        Files.writeString(queue.resolve("bg_01234567"), "of a task that was never accepted");
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            JsonObject ended = client.ended(tasks.get(1));
            assertEquals("failed", ended.getString("status"));
            assertTrue(ended.getString("error").startsWith("It was never started, for its file"), ended::encode);
            for (int i : new int[] {0, 2, 3}) {
                assertEquals("exited", client.ended(tasks.get(i)).getString("status"));
            }
            assertEquals(List.of(0, 2, 3), ran());
            assertEquals("exited", client.ended(cancelled).getString("status"));
            try (Stream<Path> left = Files.list(queue)) {
                assertEquals(List.of(queue.resolve("no task's")), left.toList());
            }
            end(server, "TERM");
            String said = String.join("\n", server.said());
            assertTrue(said.contains("Task " + tasks.get(1) + " was queued and is ended"), said);
            assertTrue(!said.contains("hunter2"), said);
        }
    }

    @Test
    void watchersOfAQueuedTaskWatchAfterARestart() throws Exception {
        String task;
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            client.spawn(TaskClient.bash("exec sleep 600"));
            var first = new JsonObject().put("regex", "word").put("event", "first");
            task = client.spawn(TaskClient.bash("echo one word; echo last").put("watch", new JsonArray().add(first)));
            var second = new JsonObject().put("regex", "last").put("event", "second");
            assertEquals(
                    201, client.post("/tasks/" + task + "/watchers", second).statusCode());
            end(server, "KILL");
        }
        try (ServerProcess server = start("1");
                TaskClient client = new TaskClient(server)) {
            assertEquals(0, client.ended(task).getInteger("exit_code"));
            List<JsonObject> hits = TaskClient.ofType(client.events(task), "task_watcher_hit");
            assertEquals(
                    List.of("w1 first word", "w2 second last"),
                    hits.stream()
                            .map(hit -> hit.getString("watcher_id") + " " + hit.getString("event") + " "
                                    + hit.getString("matched"))
                            .toList());
        }
    }
}
