package io.penstock.server.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An output that keeps its tail has its newest bytes at their offsets; a request for removed bytes is answered with the
 * start of the rest.
 */
@Tag("server")
class KeptTailTest {

    private static final int MIB = 1 << 20;
    private static final String WRITTEN =
            IntStream.rangeClosed(1, 1_000_000).mapToObj(each -> each + "\n").collect(Collectors.joining());

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    private static JsonObject numbers(String after) {
        JsonObject task = TaskClient.bash("seq 1000000" + after);
        task.getJsonObject("args").put("keep", "tail").put("artifact_max_bytes", MIB);
        return task;
    }

    @Test
    void newestBytesStayAtTheirOffsets() throws Exception {
        String task;
        long first;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(numbers(""));
            JsonObject ended = client.ended(task);
            assertEquals("tail", ended.getString("keep"));
            JsonObject log =
                    ended.getJsonObject("artifacts").getJsonObject("logs").getJsonObject("stdout");
            assertEquals(WRITTEN.length(), log.getLong("bytes_stored"));
            assertFalse(log.getBoolean("truncated"));
            first = assertTail(client, task, WRITTEN);
            assertEquals(log.getString("digest"), digest(WRITTEN.substring((int) first)));
            String byDigest =
                    client.get("/artifacts/" + log.getString("digest")).body();
            assertEquals(WRITTEN.substring((int) first), byDigest);
            assertTrue(allocated(task) <= 2 * MIB + MIB / 2, () -> allocated(task) + " bytes");
            assertDeltas(client.events(task, "text=full"), first);
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            assertEquals(first, assertTail(client, task, WRITTEN));
        }
    }

    @Test
    void killedServerLeavesNoHoleToRead() throws Exception {
        String task;
        long before;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(numbers("; sleep 600"));
            client.untilWritten(task, WRITTEN.length());
            // The oldest bytes are removed shortly after the newest have arrived.
            do {
                before = first(client, task);
            } while (before < WRITTEN.length() - 2 * MIB - MIB / 8);
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            client.ended(task);
            assertTrue(assertTail(client, task, WRITTEN) >= before);
        }
    }

    private static long first(TaskClient client, String task) {
        String first = header(client.get("/tasks/" + task + "/output?max_bytes=1"));
        return first.equals("none") ? 0 : Long.parseLong(first);
    }

    /** Returns its start. */
    private static long assertTail(TaskClient client, String task, String written) {
        String bytes = "/tasks/" + task + "/output/stdout";
        HttpResponse<String> gone = client.get("/tasks/" + task + "/output");
        assertEquals(410, gone.statusCode());
        JsonObject error = new JsonObject(gone.body()).getJsonObject("error");
        assertEquals("ARTIFACT_GONE", error.getString("code"));
        String first = error.getJsonObject("details").getString("first_offset_bytes");
        assertEquals(first, header(gone));
        int from = Integer.parseInt(first);
        int length = written.length();
        assertTrue(length - from >= MIB && length - from <= 2 * MIB + MIB / 4, () -> length + " from " + from);
        for (HttpResponse<String> each : List.of(
                client.get(bytes),
                client.get(bytes, "bytes=0-"),
                client.get(bytes, "bytes=" + (from - 1) + "-"),
                client.get(bytes, "bytes=" + from + "-" + (from + 9) + ",5-9"),
                client.get(bytes + "?lines=1-2"),
                client.get(bytes + "?lines=600000-900000"),
                client.get("/artifacts/" + task + ".stdout"))) {
            assertEquals(
                    410,
                    each.statusCode(),
                    each.uri()
                            + each.body().substring(0, Math.min(99, each.body().length())));
            assertEquals(first, header(each));
        }
        assertEquals(
                written.substring(from),
                client.get(bytes, "bytes=" + from + "-").body());
        assertEquals(
                written.substring(length - 100), client.get(bytes, "bytes=-100").body());
        assertEquals(
                "999999\n1000000\n", client.get(bytes + "?lines=999999-1000001").body());
        HttpResponse<String> kept = client.get(bytes + "?kept=1");
        assertEquals(200, kept.statusCode());
        assertEquals(written.substring(from), kept.body());
        assertEquals(first, header(kept));
        JsonObject page = new JsonObject(client.get("/tasks/" + task + "/output?max_bytes=100&offset_bytes=" + from)
                .body());
        assertEquals(written.substring(from, from + 100), page.getString("content"));
        assertEquals(from, page.getInteger("first_offset_bytes"));
        return from;
    }

    private static String header(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-penstock-first-offset").orElse("none");
    }

    private static void assertDeltas(List<JsonObject> frames, long first) {
        var text = new StringBuilder();
        int gone = 0;
        for (JsonObject delta : TaskClient.ofType(frames, "tool_task_output_delta")) {
            JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
            boolean kept = log.getLong("offset_bytes") >= first;
            assertEquals(!kept, log.getBoolean("removed"), delta::encode);
            assertEquals(!kept, delta.getBoolean("chunk_truncated"), delta::encode);
            assertTrue(kept || delta.getString("chunk").isEmpty(), delta::encode);
            text.append(delta.getString("chunk"));
            gone += kept ? 0 : 1;
        }
        assertTrue(gone > 0);
        assertTrue(WRITTEN.endsWith(text.toString()));
        assertTrue(text.length() > MIB / 2, () -> text.length() + " characters");
    }

    private static String digest(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        return "sha256:" + HexFormat.of().formatHex(digest);
    }

    private long allocated(String task) {
        try {
            Process du = new ProcessBuilder("find", data.toString(), "-name", task + ".stdout.bytes", "-printf", "%b")
                    .start();
            return Long.parseLong(new String(du.getInputStream().readAllBytes(), UTF_8)) * 512;
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void terminalsKeepTheirTailAndItsScreen() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            JsonObject spec = TaskClient.terminal("seq 1000000; echo the end");
            spec.getJsonObject("args").put("artifact_max_bytes", MIB);
            String task = client.spawn(spec);
            JsonObject ended = client.ended(task);
            assertEquals("tail", ended.getString("keep"));
            HttpResponse<String> screen = client.get("/tasks/" + task + "/screen?format=text");
            assertEquals(200, screen.statusCode());
            assertTrue(screen.body().contains("1000000\nthe end"), screen::body);
            HttpResponse<String> past = client.get("/tasks/" + task + "/screen?at_seq=4");
            assertEquals(200, past.statusCode());
            HttpResponse<String> recording = client.get("/tasks/" + task + "/recording.cast");
            assertEquals(200, recording.statusCode());
            assertTrue(recording.body().contains("the end"), "no end");
            assertFalse(recording.body().contains("\\u0000"));
            assertFalse(recording.body().contains("\\r\\n1000\\r\\n"));
        }
    }

    @Test
    void pipesKeepTheirHeadAndAllIsWithoutLimit() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            JsonObject head = TaskClient.bash("echo 0123456789");
            head.getJsonObject("args").put("artifact_max_bytes", 4);
            String task = client.spawn(head);
            assertEquals("head", client.ended(task).getString("keep"));
            assertEquals("0123", client.get("/tasks/" + task + "/output/stdout").body());
            JsonObject all = TaskClient.bash("head -c 17000000 /dev/zero");
            all.getJsonObject("args").put("keep", "all");
            JsonObject ended = client.ended(client.spawn(all));
            JsonObject artifacts = ended.getJsonObject("artifacts");
            assertEquals("all", ended.getString("keep"));
            assertEquals(null, artifacts.getLong("artifact_max_bytes"));
            assertEquals(
                    17_000_000,
                    artifacts.getJsonObject("logs").getJsonObject("stdout").getInteger("bytes_stored"));
            all.getJsonObject("args").put("artifact_max_bytes", 4);
            assertEquals(400, client.post("/tasks", all).statusCode());
            all.getJsonObject("args").put("keep", "some");
            assertEquals(400, client.post("/tasks", all).statusCode());
        }
    }
}
