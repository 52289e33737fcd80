package io.penstock.server.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ContractStatus;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.TaskState;
import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The record is complete: a later client, even after a restart, gets the same, and nothing runs for it. */
@Tag("CURSOR_NEVER_EXPIRES")
@Tag("server")
class ToolTasksReplayTest {

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off", "--workspace", workspace.toString());
    }

    @Test
    void recordedRunReproducesItsSnapshotAndItsEvents() throws Exception {
        Map<String, JsonObject> snapshots = new LinkedHashMap<>();
        Map<String, List<JsonObject>> streams = new LinkedHashMap<>();
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (JsonObject wanted : List.of(
                    TaskClient.bash("echo run >> runs; echo hello; echo grüße >&2; exit 3"),
                    TaskClient.terminal(
                            "echo run >> runs; printf 'in colour \\033[31mred\\033[0m'; read x; echo \"got $x\""),
                    TaskClient.bash("echo run >> runs; seq 1 100000"),
                    TaskClient.bash("echo run >> runs; echo up; sleep 60"))) {
                String task = client.spawn(wanted);
                client.until(task, frame -> frame.getString("type").equals("tool_task_output_delta"));
                if (snapshots.size() == 1) {
                    client.type(task, "typed\r");
                } else if (snapshots.size() == 3) {
                    client.post("/tasks/" + task + "/cancel", new JsonObject().put("reason", "enough"));
                }
                snapshots.put(task, client.ended(task));
                streams.put(task, client.events(task));
            }
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            for (Map.Entry<String, JsonObject> snapshot : snapshots.entrySet()) {
                String task = snapshot.getKey();
                assertEquals(snapshot.getValue(), client.status(task));
                assertEquals(streams.get(task), client.events(task));
                assertEquals(
                        task,
                        client.listed().stream()
                                .filter(row -> isRowOf(snapshot.getValue(), row))
                                .findFirst()
                                .orElseThrow()
                                .getString("task_id"));
                assertFoldIs(snapshot.getValue(), client.events(task));
            }
        }
        assertEquals(
                snapshots.size(), Files.readAllLines(workspace.resolve("runs")).size(), "a replay has run it");
    }

    /** A row of the list has the task's last line, too. */
    private static boolean isRowOf(JsonObject snapshot, JsonObject row) {
        JsonObject status = row.copy();
        return status.remove("last_line") instanceof String && status.equals(snapshot);
    }

    /** The state is computed from the frames that any client gets, and from nothing else. */
    private static void assertFoldIs(JsonObject snapshot, List<JsonObject> events) {
        List<Frame> frames =
                events.stream().map(event -> FrameJson.parse(event.encode())).toList();
        TaskState state = TaskState.fold(frames);
        var ending = Objects.requireNonNull(state.run().ending());
        assertEquals(snapshot.getString("status"), ContractStatus.toolTasks(state.phase(), ending.outcome()));
        assertEquals(snapshot.getString("outcome"), ending.outcome().wireName());
        assertEquals(snapshot.getInteger("exit_code"), ending.exitCode());
        assertEquals(snapshot.getInteger("signal"), ending.signal());
        assertEquals(snapshot.getLong("started_at_ms"), state.run().startedAtMs());
        assertEquals(snapshot.getLong("ended_at_ms"), state.run().endedAtMs());
        assertEquals(snapshot.getLong("next_seq"), state.nextSeq());
    }

    @Test
    void attachReconnectIsDeterministic() throws Exception {
        String task;
        List<JsonObject> whole;
        try (ServerProcess server = start();
                var client = new TaskClient(server);
                ExecutorService viewers = Executors.newVirtualThreadPerTaskExecutor()) {
            task = client.spawn(TaskClient.terminal(
                    "echo run >> runs; stty -echo; for i in {1..40}; do read x; echo \"$i $x\"; done"));
            // Input before it runs is refused.
            client.until(task, frame -> "running".equals(frame.getString("status")));
            // Each joins at another moment of its life, some at a frame long past.
            List<Future<List<JsonObject>>> live = new ArrayList<>();
            for (int i = 1; i <= 40; i++) {
                long from = i % 3 == 0 ? 0 : i;
                Callable<List<JsonObject>> viewer = () -> client.events(task, from);
                long reached = client.status(task).getLong("next_seq");
                if (from <= reached) {
                    live.add(viewers.submit(viewer));
                }
                client.type(task, "ä" + i + "\r");
                client.untilShown(task, i + " ä" + i);
            }
            client.ended(task);
            whole = client.events(task);
            assertTrue(live.size() >= 30, live::toString);
            for (Future<List<JsonObject>> viewer : live) {
                assertTail(whole, viewer.get());
            }
            assertAllTails(client, task, whole);
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            assertEquals(whole, client.events(task));
            assertAllTails(client, task, whole);
        }
        assertEquals(List.of("run"), Files.readAllLines(workspace.resolve("runs")));
    }

    private static void assertAllTails(TaskClient client, String task, List<JsonObject> whole) {
        for (int from = 0; from < whole.size(); from += 7) {
            assertEquals(whole.subList(from, whole.size()), client.events(task, from));
        }
    }

    /** The same frames, with the same text and the same references to their bytes. */
    private static void assertTail(List<JsonObject> whole, List<JsonObject> tail) {
        assertEquals(whole.subList(whole.size() - tail.size(), whole.size()), tail);
    }
}
