package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Limits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Quotas as callers see them: which tasks run, which wait and in which order, and which are refused. */
@ExtendWith(VertxExtension.class)
class QuotasOverHttpTest {

    private static final String RUNNING = "\"status\":\"running\"";

    /** The program has written its line in the file, not only been started. */
    private static final String BEGUN = "\"chunk\":\"begun";

    /** As long as a body may make it. */
    private static final int LARGE_VALUE = 1_000_000;

    /** A file of the queue with such a value: some hundred bytes more, which do not change how many fit. */
    private static final long LARGE = LARGE_VALUE + 1_000;

    @TempDir
    Path folder;

    private TestBed bed;
    private @Nullable RunningEdge running;

    @BeforeEach
    void keep(TestBed bed) {
        this.bed = bed;
    }

    private RunningEdge edge() {
        return Objects.requireNonNull(running);
    }

    private void start(int max, int perSession, int queued) {
        running = bed.add(new RunningEdge(folder, Policy.LOCAL, new Quotas(max, perSession, queued)));
    }

    /** Notes in a file that it has begun, says so, and runs until {@link #release}. */
    private static JsonObject held(String name, @Nullable String session) {
        return new JsonObject()
                .put("tool", "bash")
                .put("origin_session_id", session)
                .put(
                        "args",
                        new JsonObject()
                                .put(
                                        "command",
                                        "echo " + name + " >> began; echo begun; until [ -e go-" + name
                                                + " ]; do sleep 0.01; done"));
    }

    private String spawn(String name, @Nullable String session) {
        return edge().spawn(held(name, session));
    }

    private void release(String name) throws IOException {
        Files.createFile(edge().workspace.resolve("go-" + name));
    }

    private List<String> queued() {
        JsonArray tasks = new JsonArray(edge().get("/tasks?status=queued").body());
        return tasks.stream()
                .map(task -> ((JsonObject) task).getString("task_id"))
                .toList();
    }

    private String status(String task) {
        return new JsonObject(edge().get("/tasks/" + task).body()).getString("status");
    }

    private List<String> filesInTheQueue() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("queue"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private List<JsonObject> frames(String task) {
        return edge().events("/tasks/" + task + "/events?until=end").stream()
                .map(RunningEdge.Event::frame)
                .toList();
    }

    /** The types of the frames that are not about output. */
    private static List<String> types(List<JsonObject> frames) {
        return frames.stream()
                .map(frame -> frame.getString("type"))
                .filter(type ->
                        !Set.of("tool_task_output_delta", "artifact_written").contains(type))
                .toList();
    }

    @Test
    void withTwoPlacesFiveTasksBeginInTheOrderInWhichTheyCame() throws IOException {
        start(2, 2, 10);
        var tasks = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            tasks.add(spawn("t" + i, null));
            if (i < 2) {
                edge().await(tasks.get(i), BEGUN);
            }
        }
        assertEquals(tasks.subList(2, 5).reversed(), queued());
        assertEquals(3, filesInTheQueue().size());
        for (int i = 0; i < 5; i++) {
            // Two run at a time: both have begun before the next one can.
            edge().await(tasks.get(i), BEGUN);
            edge().await(tasks.get(Math.min(i + 1, 4)), BEGUN);
            release("t" + i);
            assertEquals("exited", edge().ended(tasks.get(i)).getString("status"));
        }
        assertEquals(
                List.of("t0", "t1", "t2", "t3", "t4"),
                Files.readAllLines(edge().workspace.resolve("began")));
        assertEquals(List.of(), filesInTheQueue());

        assertEquals(
                List.of("tool_task_spawned", "task_policy_verdict", "tool_task_status", "tool_task_status"),
                types(frames(tasks.get(0))));
        List<JsonObject> waited = frames(tasks.get(4));
        assertEquals(
                List.of("task_queued", "tool_task_status", "tool_task_status", "tool_task_status"),
                types(waited.subList(2, waited.size())));
        assertEquals(2, waited.get(2).getLong("ahead"));
        assertEquals("node", waited.get(2).getString("lane"));
        assertEquals("queued", waited.get(3).getString("status"));
        assertEquals("quota", waited.get(3).getString("cause"));
        assertEquals("running", waited.get(4).getString("status"));
    }

    @Test
    void aSessionAtItsLimitKeepsNoOtherWaiting() throws IOException {
        start(10, 1, 10);
        String first = spawn("first", "s1");
        String second = spawn("second", "s1");
        String other = spawn("other", "s2");
        String none = spawn("none", null);
        for (String task : List.of(first, other, none)) {
            edge().await(task, RUNNING);
        }
        assertEquals(List.of(second), queued());
        release("first");
        edge().await(second, RUNNING);
        for (String name : List.of("second", "other", "none")) {
            release(name);
        }
        for (String task : List.of(first, second, other, none)) {
            assertEquals("exited", edge().ended(task).getString("status"));
        }
    }

    @Test
    void fullQueueRefusesTasksUntilThereIsRoom() throws IOException {
        start(1, 1, 1);
        String runs = spawn("runs", null);
        String waits = spawn("waits", null);
        HttpResponse<String> refused =
                edge().post("/tasks", held("refused", null).encode());
        assertEquals(429, refused.statusCode(), refused::body);
        assertEquals("1", refused.headers().firstValue("retry-after").orElse(""));
        JsonObject error = new JsonObject(refused.body()).getJsonObject("error");
        assertEquals("QUOTA_EXCEEDED", error.getString("code"));
        assertTrue(error.getBoolean("retryable"));
        List<JsonObject> frames = frames(error.getJsonObject("details").getString("task_id"));
        assertEquals(1, frames.size());
        assertEquals("failed", frames.getFirst().getString("status"));
        assertEquals("quota", frames.getFirst().getString("cause"));
        assertEquals(error.getString("message"), frames.getFirst().getString("error"));

        assertEquals(202, edge().post("/tasks/" + waits + "/cancel", "{}").statusCode());
        assertEquals("cancelled", edge().settled(waits).getString("status"));
        String again = spawn("again", null);
        release("runs");
        release("again");
        assertEquals("exited", edge().ended(runs).getString("status"));
        assertEquals("exited", edge().ended(again).getString("status"));
        assertEquals(
                List.of("runs", "again"), Files.readAllLines(edge().workspace.resolve("began")));
    }

    @Test
    void oneThatWaitsCannotBeControlledYetAndACancelEndsItAtOnce() throws IOException {
        start(1, 1, 10);
        String runs = edge().spawn(held("runs", null).put("execution_mode", "pty"));
        // Until its program is started, it is listed among the waiting ones.
        edge().await(runs, RUNNING);
        String waits = edge().spawn(held("waits", null).put("execution_mode", "pty"));
        String last = spawn("last", null);
        for (String[] control : new String[][] {
            {"stdin", "{\"chunk_b64\":\"YQ==\"}"},
            {"resize", "{\"rows\":3,\"cols\":4}"},
            {"signal", "{\"signal\":\"INT\"}"}
        }) {
            HttpResponse<String> answer = edge().post("/tasks/" + waits + "/" + control[0], control[1]);
            assertEquals(409, answer.statusCode(), answer::body);
            JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
            assertEquals("TASK_NOT_READY", error.getString("code"));
            assertTrue(error.getBoolean("retryable"));
        }
        edge().post("/tasks/" + waits + "/cancel", "{\"reason\":\"not needed\"}");
        List<JsonObject> frames = frames(waits);
        assertEquals("cancelled", frames.getLast().getString("status"));
        assertEquals("not needed", frames.get(frames.size() - 2).getString("reason"));
        // Its end is recorded before its file goes; the file of the one behind it stays.
        assertEquals(List.of(last), queued());
        release("runs");
        release("last");
        assertEquals("exited", edge().ended(runs).getString("status"));
        assertEquals("exited", edge().ended(last).getString("status"));
        assertEquals(
                List.of("runs", "last"), Files.readAllLines(edge().workspace.resolve("began")));
    }

    @Test
    void valuesOfTheEnvironmentAreInNoFrameAndInPrivateFilesOnly() throws IOException {
        start(1, 1, 10);
        String runs = spawn("runs", null);
        String secret = "hunter2-" + System.nanoTime();
        String waits = edge().spawn(new JsonObject()
                .put("tool", "bash")
                .put(
                        "args",
                        new JsonObject()
                                .put("command", "printf '%s' \"${#WORD}\"")
                                .put("env", new JsonObject().put("WORD", secret))));
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("queue"))));
        Path kept = folder.resolve("queue").resolve(waits);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)));
        assertTrue(Files.readString(kept).contains(secret));
        release("runs");
        assertEquals("exited", edge().ended(waits).getString("status"));
        assertTrue(edge().ended(runs).getInteger("exit_code") == 0);
        String events = edge().get("/tasks/" + waits + "/events?until=end").body();
        assertTrue(events.contains("\"chunk\":\"" + secret.length() + "\""), events);
        assertFalse(events.contains(secret));
        assertEquals(List.of(), filesInTheQueue());
    }

    @Test
    void spawnThatCannotBeQueuedIsRefusedAndTakesNoSlot() throws IOException {
        start(1, 1, 1);
        String runs = spawn("runs", null);
        Files.delete(folder.resolve("queue"));
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> refused =
                    edge().post("/tasks", held("never", null).encode());
            assertEquals(429, refused.statusCode(), refused::body);
            JsonObject error = new JsonObject(refused.body()).getJsonObject("error");
            assertTrue(error.getBoolean("retryable"));
            assertTrue(error.getString("message").contains("cannot be queued"), error::encode);
        }
        Files.createDirectory(folder.resolve("queue"));
        String waits = spawn("waits", null);
        assertEquals("queued", status(waits));
        release("runs");
        release("waits");
        assertEquals("exited", edge().ended(runs).getString("status"));
        assertEquals("exited", edge().ended(waits).getString("status"));
    }

    @Test
    void aSessionFillsOnlyItsShareOfTheQueuesBytes() throws IOException {
        start(1, 1, 1_000);
        String runs = spawn("runs", null);
        edge().await(runs, RUNNING);
        var waiting = new ArrayList<String>();
        HttpResponse<String> answer = edge().post("/tasks", large("greedy").encode());
        while (answer.statusCode() == 201) {
            waiting.add(new JsonObject(answer.body()).getString("task_id"));
            answer = edge().post("/tasks", large("greedy").encode());
        }
        assertEquals(429, answer.statusCode(), answer::body);
        assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals("QUOTA_EXCEEDED", error.getString("code"));
        assertTrue(error.getString("message").contains("\"greedy\""), error::encode);
        assertEquals(Limits.QUEUE_SESSION_BYTES / LARGE, waiting.size());

        // Other sessions have room, and a task that leaves the queue makes room.
        assertEquals(201, edge().post("/tasks", large("modest").encode()).statusCode());
        assertEquals(
                202,
                edge().post("/tasks/" + waiting.getFirst() + "/cancel", "{}").statusCode());
        edge().settled(waiting.getFirst());
        assertEquals(201, edge().post("/tasks", large("greedy").encode()).statusCode());
    }

    private static JsonObject large(String session) {
        return new JsonObject()
                .put("tool", "bash")
                .put("origin_session_id", session)
                .put(
                        "args",
                        new JsonObject()
                                .put("command", "true")
                                .put("env", new JsonObject().put("LARGE", "x".repeat(LARGE_VALUE))));
    }
}
