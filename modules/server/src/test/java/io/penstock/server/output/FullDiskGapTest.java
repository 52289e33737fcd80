package io.penstock.server.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.frames.Limits;
import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A disk becomes full while a task writes, and has room again: a frame records the missing bytes, and no answer contains them. On a real tmpfs. */
@Tag("server")
class FullDiskGapTest {

    private static final long MIB = 1 << 20;

    private final Path folder = ServerProcess.folder();
    private final Path filler = folder.resolve("filler");
    private final Path numbers = folder.resolve("numbers");
    private final StringBuilder written = new StringBuilder();
    private int last;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=500m,mode=755", "tmpfs", folder.toString()), "no tmpfs");
        run("mkfifo", numbers.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", folder.toString());
        ServerProcess.delete(folder);
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }

    private ServerProcess server() {
        return ServerProcess.ready(folder.resolve("data"), "--port", "0", "--auth", "off");
    }

    /** It prints the numbers up to each one that it reads. */
    private String command() {
        return "exec 3<>" + numbers + "; from=1; while read -r to <&3; do seq $from $to; from=$((to + 1)); done";
    }

    private void count(int more) throws IOException {
        for (int end = last + more; last < end; ) {
            written.append(++last).append('\n');
        }
        Files.writeString(numbers, last + "\n");
    }

    private void fill() throws Exception {
        // The server takes room for it within seconds of its start, which is not to come between.
        Path ballast = folder.resolve("data").resolve("ballast");
        while (!Files.exists(ballast) || Files.size(ballast) < Limits.BALLAST_BYTES) {
            Thread.onSpinWait();
        }
        long free = folder.toFile().getUsableSpace();
        assertTrue(run("fallocate", "-l", String.valueOf(free - 40 * MIB), filler.toString()));
    }

    /** Writes a little until storing has stopped. */
    private void countUntilStopped(TaskClient client, String task) throws Exception {
        do {
            count(10);
        } while (TaskClient.ofType(frames(client, task), "task_notice").isEmpty());
    }

    /** Up to the frame that records all output. */
    private List<JsonObject> frames(TaskClient client, String task) {
        return client.until(task, frame -> {
            JsonObject artifacts = frame.getJsonObject("artifacts");
            JsonObject log = artifacts == null ? null : artifacts.getJsonObject("log");
            return log != null && log.getInteger("bytes_total", 0) >= written.length();
        });
    }

    private JsonObject countUntilStored(TaskClient client, String task) throws Exception {
        while (true) {
            count(10);
            List<JsonObject> gaps = TaskClient.ofType(frames(client, task), "tool_task_output_gap");
            if (!gaps.isEmpty()) {
                return gaps.getFirst();
            }
        }
    }

    @Test
    void storingGoesOnAndAFrameTellsWhatIsMissing() throws Exception {
        String task;
        JsonObject gap;
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash(command()));
            count(20_000);
            client.untilWritten(task, written.length());
            fill();
            countUntilStopped(client, task);
            count(1000);
            client.untilShown(task, "\n" + last + "\n");
            Files.delete(filler);
            gap = countUntilStored(client, task);
            count(20_000);
            client.untilWritten(task, written.length());
            check(client, task, gap);
            assertEquals(202, stop(client, task));
            JsonObject log = client.ended(task)
                    .getJsonObject("artifacts")
                    .getJsonObject("logs")
                    .getJsonObject("stdout");
            assertEquals(written.length(), log.getInteger("bytes_stored"));
            assertEquals(digest(before(gap) + behind(gap)), log.getString("digest"));
            assertTrue(
                    log.getString("error").startsWith(gap.getInteger("bytes") + " bytes are missing: "),
                    log.getString("error"));
            check(client, task, gap);
            assertEquals(
                    before(gap) + behind(gap),
                    client.get("/artifacts/" + log.getString("digest")).body());
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            check(client, task, gap);
        }
    }

    private static int stop(TaskClient client, String task) {
        return client.post("/tasks/" + task + "/cancel", new JsonObject()).statusCode();
    }

    private String before(JsonObject gap) {
        return written.substring(0, gap.getInteger("offset_bytes"));
    }

    private String behind(JsonObject gap) {
        return written.substring(gap.getInteger("offset_bytes") + gap.getInteger("bytes"));
    }

    private void check(TaskClient client, String task, JsonObject gap) {
        assertEquals("stdout", gap.getString("stream"));
        assertTrue(gap.getString("reason").contains("reserved for the ledger"), gap::encode);
        int from = gap.getInteger("offset_bytes");
        int to = from + gap.getInteger("bytes");
        String bytes = "/tasks/" + task + "/output/stdout";
        long lineBefore = before(gap).lines().count();
        for (HttpResponse<String> each : List.of(
                client.get(bytes),
                client.get("/artifacts/" + task + ".stdout"),
                client.get(bytes, "bytes=0-"),
                client.get(bytes, "bytes=" + (from - 1) + "-" + from),
                client.get(bytes, "bytes=" + (to - 1) + "-" + to),
                client.get(bytes, "bytes=0-9," + from + "-" + from),
                client.get(bytes + "?lines=1-"),
                client.get(bytes + "?lines=" + (lineBefore - 1) + "-" + (lineBefore + 2)),
                client.get("/tasks/" + task + "/output?offset_bytes=" + from),
                fetch(client, task, new JsonObject().put("offset_bytes", from)),
                fetch(client, task, new JsonObject().put("offset_bytes", from).put("encoding", "base64")),
                fetch(client, task, new JsonObject().put("lines", (lineBefore - 1) + "-" + (lineBefore + 2))))) {
            assertEquals(410, each.statusCode(), () -> each.uri() + cut(each.body()));
            JsonObject error = new JsonObject(each.body()).getJsonObject("error");
            JsonObject details = error.getJsonObject("details");
            assertEquals("ARTIFACT_GONE", error.getString("code"));
            assertEquals(String.valueOf(to), details.getString("first_offset_bytes"));
            assertEquals(String.valueOf(from), details.getString("missing_offset_bytes"));
            assertEquals(
                    String.valueOf(to),
                    each.headers().firstValue("x-penstock-first-offset").orElse("none"));
        }
        assertEquals(before(gap) + behind(gap), client.get(bytes + "?kept=1").body());
        assertEquals(before(gap), client.get(bytes, "bytes=0-" + (from - 1)).body());
        assertEquals(behind(gap), client.get(bytes, "bytes=" + to + "-").body());
        assertEquals("1\n2\n", client.get(bytes + "?lines=1-2").body());
        int lines = (int) written.chars().filter(each -> each == '\n').count();
        assertEquals(
                (lines - 1) + "\n" + lines + "\n",
                client.get(bytes + "?lines=" + (lines - 1) + "-" + lines).body());
        checkPages(client, task, from, to);
        for (JsonObject delta : TaskClient.ofType(frames(client, task), "tool_task_output_delta")) {
            checkDelta(delta, from, to);
        }
    }

    private static HttpResponse<String> fetch(TaskClient client, String task, JsonObject parameters) {
        return client.post("/tools/artifact_fetch", parameters.put("id", task + ".stdout"));
    }

    private static String cut(String body) {
        return body.substring(0, Math.min(99, body.length()));
    }

    /** Pages end where the gap begins, and continue after it. */
    private void checkPages(TaskClient client, String task, int from, int to) {
        var text = new StringBuilder();
        JsonObject page = page(client, task, 0);
        while (page.getBoolean("truncated") && page.getInteger("offset_bytes") + page.getInteger("bytes") < from) {
            text.append(page.getString("content"));
            page = page(client, task, text.length());
        }
        text.append(page.getString("content"));
        assertEquals(written.substring(0, from), text.toString());
        assertEquals(to - from, page.getInteger("bytes_not_stored"));
        assertEquals(written.length(), page.getInteger("total_bytes"));
        assertEquals(
                written.substring(to, to + 100),
                page(client, task, to).getString("content").substring(0, 100));
    }

    private static JsonObject page(TaskClient client, String task, int offset) {
        HttpResponse<String> page = client.get("/tasks/" + task + "/output?max_bytes=30000&offset_bytes=" + offset);
        assertEquals(200, page.statusCode(), page::body);
        return new JsonObject(page.body());
    }

    private void checkDelta(JsonObject delta, int from, int to) {
        JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
        int offset = log.getInteger("offset_bytes");
        int end = offset + log.getInteger("bytes");
        boolean missing = offset >= from && offset < to;
        String chunk = delta.getString("chunk");
        if (!missing || !chunk.isEmpty()) {
            assertEquals(written.substring(offset, end), chunk);
        }
        assertEquals(chunk.isEmpty(), delta.getBoolean("chunk_truncated"), delta::encode);
        assertEquals(missing, log.getBoolean("truncated"), delta::encode);
        assertFalse(log.getBoolean("removed"), delta::encode);
    }

    @Test
    void killedWhileStoppedTellsWhatIsMissing() throws Exception {
        String task;
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash(command()));
            count(20_000);
            client.untilWritten(task, written.length());
            fill();
            countUntilStopped(client, task);
            count(1000);
            client.untilWritten(task, written.length());
            server.signal("KILL");
            server.exitCode();
        }
        Files.delete(filler);
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            JsonObject log = client.ended(task)
                    .getJsonObject("artifacts")
                    .getJsonObject("logs")
                    .getJsonObject("stdout");
            JsonObject gap = TaskClient.ofType(client.events(task, 0L), "tool_task_output_gap")
                    .getFirst();
            assertEquals(log.getInteger("bytes_stored"), gap.getInteger("offset_bytes"));
            assertEquals("", behind(gap));
            assertEquals(written.length(), log.getInteger("bytes_total"));
            HttpResponse<String> output = client.get("/tasks/" + task + "/output/stdout");
            assertEquals(before(gap), output.body());
            assertEquals(digest(before(gap)), log.getString("digest"));
        }
    }

    @Test
    void screenAndRecordingGoOnBehindTheGap() throws Exception {
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            JsonObject spec = TaskClient.terminal("stty -onlcr; echo begun; " + command());
            String task = client.spawn(spec);
            client.untilShown(task, "begun");
            written.append("begun\n");
            fill();
            countUntilStopped(client, task);
            Files.delete(filler);
            JsonObject gap = countUntilStored(client, task);
            count(5);
            client.untilWritten(task, written.length());
            assertEquals("pty", gap.getString("stream"));
            HttpResponse<String> screen = client.get("/tasks/" + task + "/screen");
            assertEquals(200, screen.statusCode());
            assertFalse(new JsonObject(screen.body()).getBoolean("whole"));
            String shown = client.get("/tasks/" + task + "/screen?format=text").body();
            assertTrue(shown.stripTrailing().endsWith("\n" + last) || shown.contains(last + "\n"), shown);
            assertEquals(202, stop(client, task));
            client.ended(task);
            HttpResponse<String> past = client.get("/tasks/" + task + "/screen?format=text");
            assertEquals(200, past.statusCode());
            HttpResponse<String> recording = client.get("/tasks/" + task + "/recording.cast");
            assertEquals(200, recording.statusCode());
            assertFalse(recording.body().contains("\\u0000"));
            assertTrue(recording.body().contains("begun"), recording::body);
            assertTrue(recording.body().contains(gap.getInteger("bytes") + " bytes are missing"), recording::body);
            assertTrue(recording.body().contains(String.valueOf(last)), recording::body);
        }
    }

    private static String digest(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        return "sha256:" + HexFormat.of().formatHex(digest);
    }
}
