package io.penstock.server.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client that knows only the contract: it follows Link, joins chunks, and pages outputs to their end. */
class ForeignClientTest extends OneServer {

    private static final List<String> ROW_HAS = List.of("task_id", "status", "tool", "execution_mode", "artifacts");

    @Test
    void theListIsAnArrayWhosePagesFollowByLink() {
        var newestFirst = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(client.spawn(TaskClient.bash("true").put("label", "listed")));
        }
        var seen = new ArrayList<String>();
        @Nullable String address = "/tasks?label=listed&limit=2";
        while (address != null) {
            HttpResponse<String> page = client.get(address);
            for (Object row : new JsonArray(page.body())) {
                var task = (JsonObject) row;
                seen.add(task.getString("task_id"));
                ROW_HAS.forEach(name -> assertNotNull(task.getValue(name), task::encode));
            }
            address = page.headers()
                    .firstValue("link")
                    .map(link -> link.substring(link.indexOf('<') + 1, link.indexOf('>')))
                    .orElse(null);
        }
        assertEquals(newestFirst, seen);
    }

    @Test
    void joinedChunksAreTheOutput() {
        String expected = numbered(1, 60_000) + "grüße € 🌊\n";
        String task = client.spawn(
                TaskClient.bash(
                        "seq 1 60000; for i in 1; do printf 'gr\\xc3'; sleep 0.2; "
                                + "printf '\\xbc\\xc3\\x9fe \\xe2\\x82'; sleep 0.2; printf '\\xac \\xf0'; sleep 0.2; printf '\\x9f\\x8c\\x8a\\n'; done"));
        client.ended(task);
        List<JsonObject> events = deltas(task, "");
        assertEquals(expected, joined(events));
        events.forEach(delta -> assertFalse(delta.getBoolean("chunk_truncated")));
        assertEquals(expected, joined(attached(task, "")));
    }

    @Test
    void joinedChunksOfAFloodSayWhatIsMissing() {
        JsonObject wanted = TaskClient.bash("seq 1 50000");
        wanted.getJsonObject("args").put("max_bytes", 100_001);
        String task = client.spawn(wanted);
        client.ended(task);
        String written = numbered(1, 50_000);
        for (List<JsonObject> read : List.of(deltas(task, ""), attached(task, ""))) {
            assertEquals(written.substring(0, 100_001), joined(read));
            assertEquals(100_001, chunkBytes(read));
            for (JsonObject delta : read) {
                JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
                long end = log.getLong("offset_bytes") + log.getLong("bytes");
                assertEquals(end > 100_001, delta.getBoolean("chunk_truncated"), delta::encode);
                assertEquals(task + ".stdout", log.getString("id"));
            }
        }
        assertEquals(written, joined(deltas(task, "&text=full")));
        assertEquals(written, joined(attached(task, "?text=full")));
        for (List<JsonObject> none : List.of(deltas(task, "&text=none"), attached(task, "?text=none"))) {
            assertEquals("", joined(none));
            none.forEach(delta -> assertTrue(delta.getBoolean("chunk_truncated")));
        }
    }

    @Test
    void fourBytesOfTextAreWhatWasAskedFor() {
        JsonObject wanted = TaskClient.terminal("printf abcdef");
        wanted.getJsonObject("args").put("max_bytes", 4);
        String task = client.spawn(wanted);
        client.ended(task);
        assertEquals("abcd", joined(deltas(task, "")));
        assertEquals("abcdef", client.get("/tasks/" + task + "/output/pty").body());
    }

    @Test
    void everyPlaceToJoinGivesTheRestOfTheText() {
        String task = client.spawn(TaskClient.bash(
                "for i in 1 2 3 4 5 6; do printf 'a\\xe2\\x82'; sleep 0.05; printf '\\xacb\\xe2'; sleep 0.05; done"));
        JsonObject end = client.ended(task);
        List<JsonObject> all = deltas(task, "");
        for (long seq = 0; seq < end.getLong("next_seq"); seq++) {
            long from = seq;
            assertEquals(
                    joined(all.stream()
                            .filter(delta -> delta.getLong("seq") >= from)
                            .toList()),
                    joined(TaskClient.ofType(client.events(task, from), "tool_task_output_delta")));
        }
        long written = end.getJsonObject("artifacts")
                .getJsonObject("logs")
                .getJsonObject("stdout")
                .getLong("bytes_total");
        assertEquals(written - 1, chunkBytes(all), "the last byte begins a character that never came");
    }

    @Test
    void pagingACappedOutputEnds() {
        JsonObject wanted = TaskClient.bash("head -c 20000 /dev/zero | tr '\\0' x");
        wanted.getJsonObject("args").put("artifact_max_bytes", 10_000);
        String task = client.spawn(wanted);
        client.ended(task);
        JsonObject page;
        long offset = 0;
        int pages = 0;
        do {
            page = new JsonObject(client.get("/tasks/" + task + "/output?max_bytes=3000&offset_bytes=" + offset)
                    .body());
            offset += page.getInteger("bytes");
            pages++;
        } while (page.getBoolean("truncated"));
        assertEquals(10_000, offset);
        assertEquals(4, pages);
        assertEquals(10_000, page.getInteger("total_bytes"));
        assertEquals(10_000, page.getInteger("bytes_not_stored"));
    }

    @Test
    void referencesHaveTheLinesOfTheirBytes() {
        String task = client.spawn(TaskClient.bash(
                "printf 'one\\ntw'; sleep 0.2; printf 'o\\nthree\\n'; sleep 0.2; printf 'four'; seq 5 30000"));
        client.ended(task);
        String written = "one\ntwo\nthree\nfour" + numbered(5, 30_000);
        long lines = 0;
        for (JsonObject delta : deltas(task, "")) {
            JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
            int from = log.getInteger("offset_bytes");
            int to = from + log.getInteger("bytes");
            int first = log.getInteger("first_line");
            int last = first + log.getInteger("lines") - 1;
            int begin = written.lastIndexOf('\n', from - 1) + 1;
            int end = written.indexOf('\n', to - 1) + 1;
            assertEquals(
                    written.substring(begin, end),
                    client.get("/tasks/" + task + "/output/stdout?lines=" + first + "-" + last)
                            .body());
            lines = last;
        }
        assertEquals(written.lines().count(), lines);
    }

    @Test
    void theTerminalStatusHasEachLogsDigest() throws Exception {
        String task = client.spawn(TaskClient.bash("echo out; echo err >&2"));
        JsonObject row = client.ended(task).getJsonObject("artifacts").getJsonObject("logs");
        JsonObject told =
                client.events(task).getLast().getJsonObject("artifacts").getJsonObject("logs");
        for (String channel : List.of("stdout", "stderr")) {
            String text = channel.equals("stdout") ? "out\n" : "err\n";
            String digest = "sha256:"
                    + HexFormat.of()
                            .formatHex(
                                    MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
            assertEquals(digest, told.getJsonObject(channel).getString("digest"));
            assertEquals(digest, row.getJsonObject(channel).getString("digest"));
            assertEquals(text, client.get("/artifacts/" + digest).body());
        }
    }

    private List<JsonObject> deltas(String task, String query) {
        return server.get("/tasks/" + task + "/events?until=end" + query)
                .body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> new JsonObject(line.substring(6)))
                .filter(ForeignClientTest::isDelta)
                .toList();
    }

    private List<JsonObject> attached(String task, String query) {
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach" + query, "penstock.v1.json")) {
            return viewer.until(frame -> "ended".equals(frame.getString("phase"))).stream()
                    .filter(ForeignClientTest::isDelta)
                    .toList();
        }
    }

    private static boolean isDelta(JsonObject frame) {
        return "tool_task_output_delta".equals(frame.getString("type"));
    }

    private static String joined(List<JsonObject> deltas) {
        return deltas.stream()
                .map(delta -> Objects.requireNonNull(delta.getString("chunk")))
                .collect(Collectors.joining());
    }

    private static long chunkBytes(List<JsonObject> deltas) {
        return deltas.stream().mapToLong(delta -> delta.getLong("chunk_bytes")).sum();
    }

    private static String numbered(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }
}
