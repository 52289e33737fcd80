package io.penstock.server.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.InputWaits;
import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requirements of the tool tasks contract, on a complete server: each test is named after its line. */
class ToolTasksContractTest extends OneServer {

    private static final Map<String, Set<String>> MAY_BECOME = Map.of(
            "queued", Set.of("queued", "running", "cancelled", "failed"),
            "running", Set.of("running", "exited", "cancelled", "failed"),
            "exited", Set.of("exited"),
            "cancelled", Set.of("cancelled"),
            "failed", Set.of("failed"));

    @Test
    void spawnStatusCancelStateMachineIsStable() {
        int before = client.listed().size();
        assertEquals(
                400,
                client.post("/tasks", TaskClient.bash("true").put("tool", "no-such"))
                        .statusCode());
        assertEquals(before, client.listed().size(), "what is refused has left a task");

        for (String mode : List.of("pipes", "pty")) {
            check(TaskClient.bash("exit 0").put("execution_mode", mode), "exited", "succeeded", false);
            check(TaskClient.bash("exit 3").put("execution_mode", mode), "exited", "nonzero", false);
            check(TaskClient.bash("kill -KILL $$").put("execution_mode", mode), "exited", "nonzero", false);
            check(TaskClient.bash("sleep 60").put("execution_mode", mode), "cancelled", "cancelled", true);
            check(
                    TaskClient.bash("sleep 60").put("execution_mode", mode).put("timeout_secs", 1),
                    "cancelled",
                    "timed_out",
                    false);
        }
    }

    /** Observed all the time, it never makes a forbidden transition; and once it has ended, nothing changes it. */
    private void check(JsonObject wanted, String status, String outcome, boolean cancel) {
        String task = client.spawn(wanted);
        List<String> seen = new ArrayList<>(List.of("queued"));
        for (boolean asked = false; !after(seen.getLast()).equals(Set.of(seen.getLast())); ) {
            seen.add(client.status(task).getString("status"));
            if (cancel && !asked && seen.getLast().equals("running")) {
                asked = true;
                assertEquals(
                        202,
                        client.post("/tasks/" + task + "/cancel", new JsonObject())
                                .statusCode());
            }
        }
        JsonObject end = client.status(task);
        assertEquals(status, end.getString("status"), end::encode);
        assertEquals(outcome, end.getString("outcome"), end::encode);

        List<String> told = new ArrayList<>(List.of("queued"));
        List<JsonObject> frames = client.events(task);
        TaskClient.ofType(frames, "tool_task_status").forEach(frame -> told.add(frame.getString("status")));
        for (int i = 1; i < told.size(); i++) {
            assertTrue(after(told.get(i - 1)).contains(told.get(i)), told::toString);
        }
        // An observer may miss some states, but sees no others, and none again.
        List<String> distinct = seen.stream().distinct().toList();
        assertEquals(told.stream().filter(distinct::contains).distinct().toList(), distinct);
        for (int i = 1; i < seen.size(); i++) {
            assertTrue(distinct.indexOf(seen.get(i - 1)) <= distinct.indexOf(seen.get(i)), seen::toString);
        }

        assertEquals(
                202, client.post("/tasks/" + task + "/cancel", new JsonObject()).statusCode());
        assertEquals(
                409,
                client.post("/tasks/" + task + "/signal", new JsonObject().put("signal", "KILL"))
                        .statusCode());
        assertEquals(end, client.status(task));
        assertEquals(frames, client.events(task));
    }

    private static Set<String> after(String state) {
        return Objects.requireNonNull(MAY_BECOME.get(state), state);
    }

    @Test
    void taskEventOrderingIsDeterministic() {
        String command = "echo one; read a; echo \"two $a\"; read b; echo \"three $b\"; exit 5";
        List<String> first = null;
        for (int run = 0; run < 5; run++) {
            String task = client.spawn(TaskClient.terminal(command));
            client.untilShown(task, "one");
            client.type(task, "x\r");
            client.untilShown(task, "two x");
            client.post(
                    "/tasks/" + task + "/resize",
                    new JsonObject().put("rows", 40).put("cols", 100));
            client.type(task, "y\r");
            client.ended(task);
            List<JsonObject> frames = client.events(task);
            for (int seq = 0; seq < frames.size(); seq++) {
                JsonObject frame = frames.get(seq);
                assertEquals(seq, frame.getInteger("seq"));
                assertTrue(
                        seq == 0 || frames.get(seq - 1).getLong("timestamp_ms") <= frame.getLong("timestamp_ms"),
                        frame::encode);
            }
            assertEquals(frames, client.events(task));
            List<String> story = story(InputWaits.leftOut(frames));
            first = first == null ? story : first;
            assertEquals(first, story);
        }
        assertEquals(
                List.of(
                        "tool_task_spawned",
                        "tool_task_status running",
                        "output one\r\n",
                        "tool_task_stdin_written eA0=",
                        "output x\r\ntwo x\r\n",
                        "tool_task_resized 40x100",
                        "tool_task_stdin_written eQ0=",
                        "output y\r\nthree y\r\n",
                        "artifact_written",
                        "tool_task_status exited"),
                first);
    }

    /** Without the parts that differ each time: the clock, and how output is split into pieces. */
    private static List<String> story(List<JsonObject> frames) {
        var story = new ArrayList<String>();
        for (JsonObject frame : frames) {
            String type = frame.getString("type");
            switch (type) {
                case "tool_task_output_delta" -> {
                    boolean goesOn = story.getLast().startsWith("output ");
                    story.add((goesOn ? story.removeLast() : "output ") + frame.getString("chunk"));
                }
                case "tool_task_status" -> story.add(type + " " + frame.getString("status"));
                case "tool_task_stdin_written" -> story.add(type + " " + frame.getString("chunk_b64"));
                case "tool_task_resized" ->
                    story.add(type + " " + frame.getInteger("rows") + "x" + frame.getInteger("cols"));
                default -> {
                    if (type.startsWith("tool_task_") || type.equals("artifact_written")) {
                        story.add(type);
                    }
                }
            }
        }
        return story;
    }

    @Test
    void ptyStdinResizeSignalAreAppliedInOrderAndProduceFrames() {
        String task = client.spawn(
                TaskClient.terminal("stty -echo; trap 'echo \"signalled at $(stty size)\"' USR1; echo ready;"
                        + " while :; do read -t 2 line && echo \"$line at $(stty size)\"; done"));
        client.untilShown(task, "ready");
        var expected = new ArrayList<String>();
        for (int i = 1; i <= 10; i++) {
            String size = (20 + i) + " " + (100 + i);
            client.post(
                    "/tasks/" + task + "/resize",
                    new JsonObject().put("rows", 20 + i).put("cols", 100 + i));
            expected.add("tool_task_resized");
            // A shell that reads a line runs its trap when the signal comes; or afterwards, if the signal came just
            // before the read.
            assertEquals(
                    202,
                    client.post("/tasks/" + task + "/signal", new JsonObject().put("signal", "USR1"))
                            .statusCode());
            expected.add("tool_task_signalled");
            client.untilShown(task, "signalled at " + size);
            client.type(task, "line " + i + "\r");
            expected.add("tool_task_stdin_written");
            client.untilShown(task, "line " + i + " at " + size);
        }
        client.post("/tasks/" + task + "/signal", new JsonObject().put("signal", "KILL"));
        expected.add("tool_task_signalled");
        assertEquals(9, client.ended(task).getInteger("signal"));

        List<JsonObject> frames = client.events(task);
        assertEquals(
                expected,
                TaskClient.types(frames).stream().filter(expected::contains).toList());
        // Output that follows an operation is recorded after its frame, and before the next one's.
        var shown = new StringBuilder();
        int lines = 0;
        for (JsonObject frame : frames) {
            switch (frame.getString("type")) {
                case "tool_task_output_delta" -> shown.append(frame.getString("chunk"));
                case "tool_task_stdin_written" -> {
                    lines++;
                    assertEquals(lines - 1, count(shown, "line \\d+ at"), shown::toString);
                    assertEquals(lines, count(shown, "signalled at"), shown::toString);
                }
                default -> {}
            }
        }
        assertEquals(10, count(shown, "line \\d+ at"));
        assertEquals(409, client.type(task, "late").statusCode());
        assertEquals(frames, client.events(task), "what was refused has no frame");
    }

    private static long count(CharSequence text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.results().count();
    }

    @Test
    void artifactReferencesAreEmittedWhenOutputsExceedLimits() throws Exception {
        JsonObject wanted = TaskClient.bash("seq 1 60000; echo end >&2");
        wanted.getJsonObject("args").put("artifact_max_bytes", 100_000);
        String task = client.spawn(wanted);
        JsonObject stdout = client.ended(task)
                .getJsonObject("artifacts")
                .getJsonObject("logs")
                .getJsonObject("stdout");
        var all = new StringBuilder();
        for (int i = 1; i <= 60_000; i++) {
            all.append(i).append('\n');
        }
        byte[] written = all.toString().getBytes(StandardCharsets.US_ASCII);
        byte[] kept = Arrays.copyOf(written, 100_000);
        assertEquals(written.length, stdout.getInteger("bytes_total"));
        assertEquals(100_000, stdout.getInteger("bytes_stored"));
        assertTrue(stdout.getBoolean("truncated"));
        assertArrayEquals(kept, client.artifact(stdout.getString("id"), "bytes=0-"));

        List<JsonObject> frames = client.events(task);
        String digest = "sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(kept));
        JsonObject sealed = TaskClient.ofType(frames, "artifact_written").getFirst();
        assertEquals(stdout.getString("id"), sealed.getString("artifact_id"), sealed::encode);
        assertEquals(digest, sealed.getString("digest"), sealed::encode);
        assertEquals(1, TaskClient.ofType(frames, "task_notice").size());

        long at = 0;
        for (JsonObject delta : TaskClient.ofType(frames, "tool_task_output_delta")) {
            if (delta.getString("stream").equals("stderr")) {
                continue;
            }
            JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
            assertEquals(stdout.getString("id"), log.getString("id"));
            assertEquals(at, log.getLong("offset_bytes"));
            at += log.getLong("bytes");
            assertEquals(at > kept.length, log.getBoolean("truncated"));
            String chunk = delta.getString("chunk");
            assertTrue(new String(kept, StandardCharsets.US_ASCII)
                            .startsWith(chunk, (int) log.getLong("offset_bytes").longValue())
                    || chunk.isEmpty());
            if (at <= kept.length) {
                // The part that does not fit into the frame is read by the frame's reference.
                String range = "bytes=" + log.getLong("offset_bytes") + "-" + (at - 1);
                assertArrayEquals(
                        Arrays.copyOfRange(kept, Math.toIntExact(log.getLong("offset_bytes")), (int) at),
                        client.artifact(log.getString("id"), range));
            }
        }
        assertEquals(written.length, at);
    }
}
