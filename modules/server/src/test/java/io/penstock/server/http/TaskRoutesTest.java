package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.InputWaits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The HTTP part of the contract tool-tasks, route by route. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class TaskRoutesTest {

    private Path folder;
    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        folder = bed.folder();
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void taskIsSpawnedFoundListedAndEnds() {
        HttpResponse<String> spawned = edge.post("/tasks", """
                {"tool": "bash", "title": "greet", "label": "greet.1", "origin_session_id": "s1", "args": {"command": "echo hello; exit 3"}}""");
        assertEquals(201, spawned.statusCode(), spawned.body());
        JsonObject answer = new JsonObject(spawned.body());
        assertEquals(Set.of("task_id"), answer.fieldNames());
        String task = answer.getString("task_id");
        assertEquals("/tasks/" + task, spawned.headers().firstValue("location").orElseThrow());

        JsonObject status = edge.ended(task);
        assertEquals(
                List.of(
                        "task_id",
                        "status",
                        "tool",
                        "title",
                        "label",
                        "origin_session_id",
                        "execution_mode",
                        "exit_code",
                        "started_at_ms",
                        "ended_at_ms",
                        "artifacts",
                        "error",
                        "phase",
                        "outcome",
                        "signal",
                        "next_seq",
                        "record_input",
                        "keep",
                        "pinned",
                        "parent_task_id",
                        "batch",
                        "agent"),
                List.copyOf(status.fieldNames()));
        assertEquals("exited", status.getString("status"));
        assertEquals(3, status.getInteger("exit_code"));
        assertEquals("bash", status.getString("tool"));
        assertEquals("greet", status.getString("title"));
        assertEquals("greet.1", status.getString("label"));
        assertEquals("s1", status.getString("origin_session_id"));
        assertEquals("pipes", status.getString("execution_mode"));
        assertEquals("nonzero", status.getString("outcome"));
        assertNull(status.getString("error"));
        assertTrue(status.getLong("started_at_ms") <= status.getLong("ended_at_ms"));
        JsonObject stdout =
                status.getJsonObject("artifacts").getJsonObject("logs").getJsonObject("stdout");
        assertEquals(6, stdout.getInteger("bytes_stored"));
        assertFalse(stdout.getBoolean("truncated"));

        assertEquals(status, new JsonObject(edge.get("/tasks/" + task).body()));
        assertEquals(
                status.copy().put("last_line", "hello"),
                new JsonArray(edge.get("/tasks?label=greet.1").body()).getJsonObject(0));
    }

    @Test
    void execPassesArgumentsUnchanged() {
        HttpResponse<String> spawned = edge.post("/tasks", """
                {"tool": "exec", "args": {"argv": ["printf", "%s|", "$HOME; exit 3", "", "a \\"quoted\\" *"]}}""");
        assertEquals(201, spawned.statusCode(), spawned.body());
        String task = new JsonObject(spawned.body()).getString("task_id");
        JsonObject status = edge.ended(task);
        assertEquals("exec", status.getString("tool"));
        assertEquals(0, status.getInteger("exit_code"));
        assertEquals(
                "$HOME; exit 3||a \"quoted\" *|",
                edge.get("/tasks/" + task + "/output/stdout").body());

        String none = new JsonObject(edge.post("/tasks", """
                {"tool": "exec", "args": {"argv": ["no-such-program"]}}""").body()).getString("task_id");
        JsonObject failed = edge.ended(none);
        assertEquals("failed", failed.getString("status"));
        assertTrue(failed.getString("error").contains("command not found: no-such-program"), failed.getString("error"));
    }

    @Test
    void listBeginsWithTheNewest() {
        String first = edge.spawn("true", "pipes");
        edge.ended(first);
        String second = edge.spawn("true", "pipes");
        edge.ended(second);
        List<String> listed = new JsonArray(edge.get("/tasks").body())
                .stream().map(task -> ((JsonObject) task).getString("task_id")).toList();
        assertTrue(listed.indexOf(second) < listed.indexOf(first), () -> first + " then " + second + " in " + listed);
    }

    @Test
    void toolsUseTheRequestedShellDirectoryAndEnvironment() throws Exception {
        Files.createDirectories(folder.resolve("workspace/below"));
        String args = """
                {"command": "echo $0 $SECRET ${PWD##*/}", "cwd": "below", "env": {"SECRET": "swordfish", "OTHER": ""}}""";
        for (String tool : List.of("bash", "shell")) {
            String task = edge.spawn(new JsonObject().put("tool", tool).put("args", new JsonObject(args)));
            edge.ended(task);
            String shell = tool.equals("bash") ? "/bin/bash" : "/bin/sh";
            assertEquals(shell + " swordfish below\n", output(task, "").getString("content"));
            JsonObject spawned = edge.events("/tasks/" + task + "/events?until=end")
                    .getFirst()
                    .frame();
            assertEquals("below", spawned.getString("cwd"));
            assertEquals(
                    new JsonObject(
                            "{\"command\":\"echo $0 $SECRET ${PWD##*/}\",\"cwd\":\"below\",\"env\":[\"SECRET\",\"OTHER\"]}"),
                    spawned.getJsonObject("args"));
            JsonObject limits = spawned.getJsonObject("artifacts");
            assertEquals(16 << 20, limits.getInteger("artifact_max_bytes"));
            assertEquals(512 << 10, limits.getInteger("max_bytes"));
        }
    }

    @Test
    void terminalTakesSizeInputResizeAndSignal() {
        String task = edge.spawn(new JsonObject("""
                {"tool": "bash", "execution_mode": "pty",
                 "args": {"rows": 30, "cols": 90, "command": "stty size; read line; echo \\"got $line\\"; stty size; sleep 60"}}"""));
        edge.await(task, "30 90");
        assertAccepted(edge.post("/tasks/" + task + "/resize", "{\"rows\": 50, \"cols\": 132}"));
        String typed = Base64.getEncoder().encodeToString("hi\r".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertAccepted(edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"" + typed + "\"}"));
        edge.await(task, "50 132");
        assertAccepted(edge.post("/tasks/" + task + "/signal", "{\"signal\": \"sigTERM\"}"));
        JsonObject status = edge.ended(task);
        assertEquals(143, status.getInteger("exit_code"));
        assertEquals(15, status.getInteger("signal"));
        assertEquals("exited", status.getString("status"));
        List<String> types = InputWaits.leftOut(edge.events("/tasks/" + task + "/events?until=end").stream()
                        .map(RunningEdge.Event::frame)
                        .toList())
                .stream()
                .map(frame -> frame.getString("type"))
                .filter(type -> !type.equals("tool_task_output_delta"))
                .toList();
        assertEquals(
                List.of(
                        "tool_task_spawned",
                        "task_policy_verdict",
                        "tool_task_status",
                        "task_policy_verdict",
                        "tool_task_resized",
                        "task_policy_verdict",
                        "tool_task_stdin_written",
                        "task_policy_verdict",
                        "tool_task_signalled",
                        "artifact_written",
                        "tool_task_status"),
                types);
        assertTrue(output(task, "").getString("content").contains("got hi"));
    }

    @Test
    void signalReachesTheWholeGroup() {
        // Processes left alive by a task that was not stopped continue, so the child ends by the signal only.
        String task = edge.spawn("sleep 600 & echo child $!.; exec sleep 600", "pipes");
        // Its output, not its command.
        edge.await(task, "\"chunk\":\"child ");
        assertAccepted(edge.post("/tasks/" + task + "/signal", "{\"signal\": \"usr1\"}"));
        JsonObject status = edge.ended(task);
        assertEquals("exited", status.getString("status"));
        assertEquals(10, status.getInteger("signal"));
        String line = output(task, "").getString("content");
        long child = Long.parseLong(line.substring("child ".length(), line.indexOf('.')));
        ProcessHandle.of(child)
                .ifPresent(
                        alive -> alive.onExit().orTimeout(10, TimeUnit.SECONDS).join());
        List<JsonObject> signalled = edge.events("/tasks/" + task + "/events?until=end").stream()
                .map(RunningEdge.Event::frame)
                .filter(frame -> frame.getString("type").equals("tool_task_signalled"))
                .toList();
        assertEquals(1, signalled.size());
        assertEquals("usr1", signalled.getFirst().getString("signal"));
    }

    @Test
    void repeatedCancelChangesNothing() {
        String task = edge.spawn("sleep 60", "pipes");
        edge.await(task, "\"status\":\"running\"");
        assertAccepted(edge.post("/tasks/" + task + "/cancel", "{\"reason\": \"enough\"}"));
        assertAccepted(edge.post("/tasks/" + task + "/cancel", "{\"reason\": \"again\"}"));
        JsonObject status = edge.ended(task);
        assertEquals("cancelled", status.getString("status"));
        // Without a body, and so without a type of one.
        assertAccepted(edge.send(edge.to("/tasks/" + task + "/cancel")
                .POST(BodyPublishers.noBody())
                .build()));
        List<String> reasons = edge.events("/tasks/" + task + "/events?until=end").stream()
                .map(RunningEdge.Event::frame)
                .filter(frame -> frame.getString("type").startsWith("tool_task_cancel"))
                .map(frame -> frame.getString("type") + " " + frame.getString("reason"))
                .toList();
        assertEquals(List.of("tool_task_cancel_requested enough", "tool_task_cancelled enough"), reasons);
    }

    @Test
    void timeoutEndsTheTask() {
        String task = edge.spawn(
                new JsonObject("{\"tool\": \"shell\", \"timeout_secs\": 1, \"args\": {\"command\": \"sleep 60\"}}"));
        JsonObject status = edge.ended(task);
        assertEquals("cancelled", status.getString("status"));
        assertEquals("timed_out", status.getString("outcome"));
    }

    @Test
    void waitForARunningTaskEndsAtItsTimeout() {
        String task = edge.spawn("sleep 60", "pipes");
        edge.await(task, "\"status\":\"running\"");
        JsonObject status =
                new JsonObject(edge.get("/tasks/" + task + "?wait=50").body());
        assertEquals("running", status.getString("status"));
        JsonObject stdout =
                status.getJsonObject("artifacts").getJsonObject("logs").getJsonObject("stdout");
        assertEquals(task + ".stdout", stdout.getString("id"));
        edge.post("/tasks/" + task + "/cancel", "{}");
    }

    @Test
    void pagesOfOutputJoinToTheWhole() {
        String text = "grüße 🌊 €\n".repeat(20);
        String task = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("args", new JsonObject().put("command", "printf '%s' \"" + text + "\"")));
        edge.ended(task);
        int total = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        for (int max : List.of(1, 2, 3, 5, 7, 64, 100_000)) {
            var read = new StringBuilder();
            long offset = 0;
            JsonObject page;
            do {
                page = output(task, "?stream=stdout&offset_bytes=" + offset + "&max_bytes=" + max);
                assertEquals(offset, page.getLong("offset_bytes"));
                assertTrue(page.getInteger("bytes") <= Math.max(max, 4));
                assertEquals(total, page.getInteger("total_bytes"));
                read.append(page.getString("content"));
                offset += page.getInteger("bytes");
                assertEquals(offset < total, page.getBoolean("truncated"));
            } while (Objects.requireNonNull(page.getBoolean("truncated")));
            assertEquals(text, read.toString());
        }
        assertEquals(
                Set.of(
                        "first_offset_bytes",
                        "task_id",
                        "stream",
                        "content",
                        "offset_bytes",
                        "bytes",
                        "total_bytes",
                        "truncated",
                        "bytes_not_stored",
                        "artifact_id",
                        "path"),
                output(task, "").fieldNames());
        assertEquals("", output(task, "?stream=stderr").getString("content"));
        assertEquals("", output(task, "?offset_bytes=" + total).getString("content"));
    }

    @Test
    void longPageIsOneText() {
        String task = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("args", new JsonObject().put("command", "yes 'grüße 🌊 \u0001\"€' | head -n 6000")));
        edge.ended(task);
        String text = "grüße 🌊 \u0001\"€\n".repeat(6000);
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        for (int max : List.of(16 * 1024, 16 * 1024 + 1, 50_001, 1_000_000)) {
            var read = new StringBuilder();
            JsonObject page;
            int offset = 0;
            do {
                page = output(task, "?stream=stdout&offset_bytes=" + offset + "&max_bytes=" + max);
                int length = page.getInteger("bytes");
                assertTrue(Math.min(max, bytes.length - offset) - 4 < length && length <= max, length + " of " + max);
                read.append(page.getString("content"));
                offset += length;
                assertEquals(bytes.length, page.getInteger("total_bytes"));
                assertEquals(offset < bytes.length, page.getBoolean("truncated"));
            } while (offset < bytes.length);
            assertEquals(text, read.toString());
        }
    }

    @Test
    void outputBeyondTheCapIsCountedAndNotReadable() {
        String task = edge.spawn(new JsonObject(
                "{\"tool\": \"bash\", \"args\": {\"artifact_max_bytes\": 5, \"command\": \"printf 0123456789\"}}"));
        edge.ended(task);
        JsonObject page = output(task, "");
        assertEquals("01234", page.getString("content"));
        assertEquals(5, page.getInteger("total_bytes"));
        assertEquals(5, page.getInteger("bytes_not_stored"));
        assertFalse(page.getBoolean("truncated"));
        assertFalse(output(task, "?offset_bytes=5").getBoolean("truncated"));
    }

    private JsonObject output(String task, String query) {
        HttpResponse<String> answer = edge.get("/tasks/" + task + "/output" + query);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static void assertAccepted(HttpResponse<String> answer) {
        assertEquals(202, answer.statusCode(), answer.body());
        assertEquals("{}", answer.body());
    }
}
