package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Viewing and controlling tasks over WebSocket. */
class AttachTest extends OneServer {

    /** Bytes of the terminal's output up to the end of this frame. */
    private static long written(JsonObject frame) {
        if (!frame.getString("type").equals("tool_task_output_delta")) {
            return -1;
        }
        JsonObject log = frame.getJsonObject("artifacts").getJsonObject("log");
        return log.getLong("offset_bytes") + log.getLong("bytes");
    }

    static boolean isFrame(JsonObject object) {
        return !object.getString("type").startsWith("attach_");
    }

    static List<JsonObject> frames(List<JsonObject> objects) {
        return objects.stream().filter(AttachTest::isFrame).toList();
    }

    static long count(List<JsonObject> objects, String type) {
        return objects.stream()
                .filter(object -> object.getString("type").equals(type))
                .count();
    }

    @Test
    void viewerOfAnEndedTaskSeesExactlyTheEventsFromItsStart() {
        String task =
                client.spawn(TaskClient.bash("for i in $(seq 1 300); do echo line $i; done; echo oops >&2; exit 4"));
        client.ended(task);
        List<JsonObject> events = client.events(task);
        for (int from : new int[] {0, 1, events.size() / 2, events.size() - 1, events.size()}) {
            try (Attached viewer = Attached.json(server, task, "from_seq=" + from)) {
                JsonObject ready = viewer.until("attach_ready");
                assertEquals(from, ready.getLong("from_seq"));
                assertEquals(events.size(), ready.getLong("next_seq"));
                List<JsonObject> rest = viewer.rest(1000);
                assertEquals(events.subList(from, events.size()), frames(rest));
                assertEquals(
                        1,
                        rest.stream()
                                .filter(object -> object.getString("type").equals("attach_caught_up"))
                                .count());
            }
        }
        try (Attached viewer = Attached.json(server, task, "tail=2")) {
            assertEquals(events.subList(events.size() - 2, events.size()), frames(viewer.rest(1000)));
        }
        try (Attached viewer = Attached.json(server, task, "tail_bytes=1")) {
            List<JsonObject> seen = frames(viewer.rest(1000));
            assertEquals("tool_task_output_delta", seen.getFirst().getString("type"));
            assertEquals(events.subList(events.size() - seen.size(), events.size()), seen);
        }
    }

    @Test
    void liveFramesFollowHistoryAndTheBorderIsMarked() {
        String task = client.spawn(TaskClient.terminal("stty -echo; echo first; read line; echo got $line; exit 0"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("first"));
        try (Attached viewer = Attached.json(server, task, "")) {
            List<JsonObject> history =
                    viewer.until(object -> object.getString("type").equals("attach_caught_up"));
            assertTrue(history.toString().contains("first"));
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "hello\r"));
            JsonObject done = viewer.until("attach_done");
            assertEquals(1, done.getLong("op"));
            List<JsonObject> live = frames(viewer.rest(1000));
            assertTrue(live.toString().contains("got hello"));
            List<JsonObject> events = client.events(task);
            assertEquals(
                    "tool_task_stdin_written",
                    events.get(done.getInteger("seq")).getString("type"));
        }
    }

    @Test
    void repeatedOperationsRunOnceAlsoAfterReconnecting() {
        String task =
                client.spawn(TaskClient.terminal("stty -echo; echo ready; while read line; do echo got $line; done"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        var typed = new JsonObject().put("type", "stdin").put("op", 7).put("text", "once\r");
        Long seq;
        try (Attached viewer = Attached.json(server, task, "client=me&tail=0")) {
            viewer.say(typed);
            seq = viewer.until("attach_done").getLong("seq");
            viewer.say(typed);
            assertEquals(seq, viewer.until("attach_done").getLong("seq"));
        }
        try (Attached viewer = Attached.json(server, task, "client=me&tail=0")) {
            viewer.say(typed);
            assertEquals(seq, viewer.until("attach_done").getLong("seq"));
            viewer.say(new JsonObject().put("type", "cancel").put("op", 8));
            assertNull(viewer.until("attach_done").getLong("seq"));
        }
        List<JsonObject> events = client.events(task);
        assertEquals(
                1,
                events.stream()
                        .filter(frame -> frame.getString("type").equals("tool_task_stdin_written"))
                        .count());
        assertEquals("cancelled", client.ended(task).getString("status"));
    }

    @Test
    void viewersWithoutControlAreRefusedWithAReason() {
        String task = client.spawn(TaskClient.terminal("echo ready; read line"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (Attached viewer = Attached.json(server, task, "rights=view&tail=0")) {
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "x"));
            JsonObject refused = viewer.until("attach_refused");
            assertEquals(1, refused.getLong("op"));
            assertEquals("PERMISSION_DENIED", refused.getJsonObject("error").getString("code"));
        }
        try (Attached viewer = Attached.json(server, task, "tail=0")) {
            for (String wrong : List.of(
                    "{}",
                    "{\"type\": \"paste\"}",
                    "{\"type\": \"hidden\", \"op\": 1}",
                    "{\"type\": \"shown\", \"seq\": 1}",
                    "{\"type\": \"stdin\", \"op\": 1}",
                    "{\"type\": \"stdin\", \"op\": 0, \"text\": \"x\"}",
                    "{\"type\": \"stdin\", \"op\": 1, \"text\": \"x\", \"chunk_b64\": \"eA==\"}",
                    "{\"type\": \"stdin\", \"op\": 1, \"chunk_b64\": \"?\"}",
                    "{\"type\": \"resize\", \"op\": 1, \"rows\": 0, \"cols\": 80}",
                    "{\"type\": \"signal\", \"op\": 1, \"signal\": \"NOPE\"}",
                    "{\"type\": \"size_policy\", \"op\": 1, \"policy\": \"largest\"}",
                    "{\"type\": \"parsed\", \"next_seq\": -1}")) {
                viewer.say(new JsonObject(wrong));
                JsonObject error = viewer.until("attach_refused").getJsonObject("error");
                assertEquals("INVALID_REQUEST", error.getString("code"), wrong);
            }
            viewer.send(Buffer.buffer("{}"));
            assertTrue(viewer.until("attach_refused").encode().contains("are text"));
            viewer.say(new JsonObject()
                    .put("type", "resize")
                    .put("op", 2)
                    .put("rows", 50)
                    .put("cols", 132));
            viewer.until("attach_done");
            viewer.say(new JsonObject().put("type", "signal").put("op", 3).put("signal", "KILL"));
            viewer.until("attach_done");
            assertTrue(frames(viewer.rest(1000)).getLast().encode().contains("\"exit_code\":137"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /tasks/nobody/attach                   | 404 | There is no task nobody
            /tasks/{task}/attach?rights=all        | 400 | rights must be control or view
            /tasks/{task}/attach?from_seq=9999     | 400 | has no frame 9998
            /tasks/{task}/attach?from_seq=1&tail=1 | 400 | give one of them
            /tasks/{task}/attach?tail_bytes=x      | 400 | tail_bytes must be a whole number
            /tasks/{task}/attach?behind=all        | 400 | behind must be frames or screen
            /tasks/{task}/attach?behind=screen     | 400 | has no screen, for it has no terminal
            /tasks/{task}/attach?client=a%20b      | 400 | client has 1 to 64 letters
            """)
    void invalidRequestsAreAnsweredOverHttp(String path, int status, String sentence) {
        String task = client.spawn(TaskClient.bash("true"));
        String where = path.replace("{task}", task);
        assertRejected(where, "penstock.v1.json", status, sentence);
    }

    @Test
    void unknownSubprotocolsAreRefusedNamingTheKnownOnes() {
        String task = client.spawn(TaskClient.bash("true"));
        assertRejected("/tasks/" + task + "/attach", "ttyd", 400, "penstock.v1.json or penstock.v1.binary");
        HttpResponse<String> plain = client.get("/tasks/" + task + "/attach");
        assertEquals(426, plain.statusCode());
        assertTrue(plain.body().contains("Attaching needs a WebSocket"), plain.body());
    }

    private void assertRejected(String path, String subprotocol, int status, String sentence) {
        AssertionError failed =
                assertThrows(AssertionError.class, () -> new Attached(server, path, subprotocol).close());
        var rejected = assertInstanceOf(UpgradeRejectedException.class, failed.getCause());
        assertEquals(status, rejected.getStatus());
        assertTrue(rejected.getBody().toString().contains(sentence), rejected.getBody()::toString);
    }

    @Test
    void binaryViewersGetBytesWithTheirOffsets() {
        String task = client.spawn(TaskClient.bash("head -c 3000000 /dev/urandom; echo end >&2; exit 2"));
        client.ended(task);
        byte[] stored = client.artifact(task + ".stdout", "bytes=0-");
        List<JsonObject> events = client.events(task);
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach", "penstock.v1.binary")) {
            var stdout = new ByteArrayOutputStream();
            var others = new ArrayList<JsonObject>();
            long nextSeq = 0;
            for (Attached.Entry entry : viewer.entries()) {
                ByteReader reader = entry.reader();
                switch (entry.kind()) {
                    case 1 -> {
                        nextSeq = reader.readNumber();
                        int channel = reader.readByte();
                        long offset = reader.readNumber();
                        if (channel == 0) {
                            assertEquals(stdout.size(), offset);
                            stdout.writeBytes(reader.readRest());
                        }
                    }
                    case 2 -> {
                        others.add(entry.json());
                        nextSeq = entry.json().getLong("seq") + 1;
                    }
                    case 3 -> assertTrue(entry.json().getString("type").startsWith("attach_"));
                    default -> throw new AssertionError("kind " + entry.kind());
                }
            }
            assertArrayEquals(stored, stdout.toByteArray());
            assertEquals(events.size(), nextSeq);
            assertEquals(
                    events.stream()
                            .filter(frame -> !frame.getString("type").equals("tool_task_output_delta"))
                            .toList(),
                    others);
        }
    }

    @Test
    void binaryViewersTypeBytes() {
        String task = client.spawn(TaskClient.terminal("stty -echo; echo ready; read line; echo got $line"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?tail=0", "penstock.v1.binary")) {
            var entry = new ByteWriter();
            byte[] text = "grüße\r".getBytes(StandardCharsets.UTF_8);
            entry.writeByte(1);
            entry.writeNumber(1 + text.length);
            entry.writeNumber(5);
            viewer.send(Buffer.buffer(entry.toByteArray()).appendBytes(text));
            String all = viewer.entries().stream()
                    .map(seen -> new String(seen.content(), StandardCharsets.UTF_8))
                    .reduce("", String::concat);
            assertTrue(all.contains("\"op\":5"), all);
            assertTrue(all.contains("got grüße"), all);
        }
    }

    @Test
    void rawViewersSeeAndTypeNothingButBytes() {
        String task = client.spawn(TaskClient.terminal("stty -echo; echo ready; read line; echo got $line"));
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach", null)) {
            viewer.bytes("ready");
            viewer.send(Buffer.buffer("hi\r"));
            viewer.bytes(null);
        }
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach", null)) {
            assertEquals("ready\r\ngot hi\r\n", new String(viewer.bytes(null), StandardCharsets.UTF_8));
        }
    }

    @Test
    void lateViewersStartWithTheScreen() {
        String task = client.spawn(
                TaskClient.terminal(
                        "stty -echo; seq 1 3000; read go; printf '\\e[1;31mred\\e[m here'; read line; printf ' and %s' $line; read line"));
        assertEquals(202, client.type(task, "go\r").statusCode());
        // All of it may have come in one frame, whose chunk has no room for its end.
        int lines = 9 * 3 + 90 * 4 + 900 * 5 + 2001 * 6;
        client.until(task, frame -> written(frame) >= lines + "\u001b[1;31mred\u001b[m here".length());
        try (Attached viewer = Attached.json(server, task, "screen=0")) {
            JsonObject ready = viewer.until("attach_ready");
            JsonObject screen = viewer.until("attach_screen");
            assertEquals(ready.getLong("from_seq"), screen.getLong("seq") + 1);
            assertEquals(24, screen.getInteger("rows"));
            String shown = new String(Base64.getDecoder().decode(screen.getString("ansi_b64")), StandardCharsets.UTF_8);
            assertTrue(shown.startsWith("\u001bc"), shown);
            assertTrue(shown.contains("3000") && shown.contains("red") && !shown.contains("2000"), shown);
            viewer.until("attach_caught_up");
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "more\r"));
            viewer.until(object -> String.valueOf(object.getString("chunk")).contains(" and more"));
        }
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?screen=1000", "penstock.v1.binary")) {
            client.post("/tasks/" + task + "/cancel", new JsonObject());
            List<Attached.Entry> entries = viewer.entries();
            Attached.Entry screen = entries.stream()
                    .filter(entry -> entry.kind() == 4)
                    .findFirst()
                    .orElseThrow();
            ByteReader reader = screen.reader();
            assertTrue(reader.readNumber() > 1);
            assertEquals(24, reader.readNumber());
            assertEquals(80, reader.readNumber());
            assertEquals(0, reader.readNumber());
            String shown = new String(reader.readRest(), StandardCharsets.UTF_8);
            assertTrue(shown.contains("2500") && shown.contains(" and more"), shown);
        }
        String pipes = client.spawn(TaskClient.bash("echo no terminal"));
        client.ended(pipes);
        assertRejected("/tasks/" + pipes + "/attach?screen=0", "penstock.v1.json", 400, "pty");
    }

    @Test
    void viewersSignalATaskOnPipesButDoNotTypeIntoIt() {
        String task = client.spawn(TaskClient.bash("echo ready; exec sleep 600"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (Attached viewer = Attached.json(server, task, "tail=0")) {
            viewer.until("attach_ready");
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "hi"));
            assertTrue(viewer.until("attach_refused").encode().contains("stdin needs a task with execution_mode pty"));
            viewer.say(new JsonObject().put("type", "signal").put("op", 2).put("signal", "INT"));
            viewer.until("attach_done");
        }
        assertEquals(2, client.ended(task).getInteger("signal"));
    }

    @Test
    void viewersWriteToAnOpenInputAndCloseIt() {
        JsonObject spawn = TaskClient.bash("echo ready; cat").put("stdin", "open");
        String task = client.spawn(spawn);
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (Attached viewer = Attached.json(server, task, "tail=0")) {
            viewer.until("attach_ready");
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "hi"));
            viewer.until("attach_done");
            viewer.say(new JsonObject().put("type", "stdin").put("op", 2).put("close", true));
            viewer.until("attach_done");
        }
        assertEquals("succeeded", client.ended(task).getString("outcome"));
    }

    @Test
    void viewersSeeEachOther() {
        String task = client.spawn(TaskClient.terminal("echo ready; read line"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (Attached first = Attached.json(server, task, "tail=0")) {
            String name = first.until("attach_ready").getString("viewer");
            try (Attached second = Attached.json(server, task, "tail=0&rights=view")) {
                JsonObject both = first.until(object -> viewers(object) == 2).getLast();
                assertEquals(
                        List.of("control", "view"),
                        both.getJsonArray("viewers").stream()
                                .map(viewer -> ((JsonObject) viewer).getString("rights"))
                                .toList());
                first.say(new JsonObject()
                        .put("type", "resize")
                        .put("op", 1)
                        .put("rows", 40)
                        .put("cols", 100));
                second.until(object -> viewers(object) == 2
                        && object.getJsonArray("viewers")
                                .getJsonObject(0)
                                .getString("viewer")
                                .equals(name)
                        && Integer.valueOf(40)
                                .equals(object.getJsonArray("viewers")
                                        .getJsonObject(0)
                                        .getInteger("rows")));
            }
            first.until(object -> viewers(object) == 1);
        }
        client.post("/tasks/" + task + "/cancel", new JsonObject());
        client.ended(task);
        assertTrue(
                client.events(task).stream().noneMatch(frame -> frame.encode().contains("viewer")));
    }

    static int viewers(JsonObject object) {
        return object.getString("type").equals("attach_viewers")
                ? object.getJsonArray("viewers").size()
                : -1;
    }

    @Test
    void slowViewerDelaysNoOtherAndMissesNothing() {
        String task = client.spawn(TaskClient.bash("head -c 30000000 /dev/zero | tr '\\0' x; exit 0"));
        try (var stuck = new Attached(server, "/tasks/" + task + "/attach", null)) {
            stuck.pause();
            client.ended(task);
            try (var quick = new Attached(server, "/tasks/" + task + "/attach", null)) {
                assertEquals(16 * 1024 * 1024, quick.bytes(null).length);
            }
            stuck.resume();
            assertEquals(16 * 1024 * 1024, stuck.bytes(null).length);
        }
    }

    @Test
    void acknowledgingViewerGetsNotMuchMoreThanItsWindow() {
        String task = client.spawn(TaskClient.bash("echo ready; read line; head -c 8000000 /dev/zero | tr '\\0' x")
                .put("execution_mode", "pty"));
        client.until(task, frame -> String.valueOf(frame.getString("chunk")).contains("ready"));
        try (Attached viewer = Attached.json(server, task, "")) {
            viewer.say(new JsonObject().put("type", "parsed").put("next_seq", 0));
            viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "go\r"));
            client.ended(task);
            long last = client.status(task).getLong("next_seq");
            long bytes = 0;
            long parsed = 0;
            long unparsed = 0;
            while (parsed < last) {
                JsonObject object = viewer.until(any -> true).getFirst();
                if (isFrame(object)) {
                    parsed = object.getLong("seq") + 1;
                    if (object.getString("type").equals("tool_task_output_delta")) {
                        long length = object.getJsonObject("artifacts")
                                .getJsonObject("log")
                                .getLong("bytes");
                        bytes += length;
                        unparsed += length;
                    }
                    if (unparsed > 64 * 1024) {
                        viewer.say(new JsonObject().put("type", "parsed").put("next_seq", parsed));
                        unparsed = 0;
                    }
                }
            }
            assertTrue(bytes >= 8_000_000, bytes + " bytes");
        }
    }

    @Test
    void closedSocketIsNoLongerCountedAsAConnection() {
        String task = client.spawn(TaskClient.bash("sleep 600"));
        // Those of other tests may still be closing, so the number before these is no measure.
        var viewers = new ArrayList<Attached>();
        for (int i = 0; i < 5; i++) {
            viewers.add(Attached.json(server, task, ""));
            viewers.getLast().until("attach_caught_up");
        }
        double open = connections();
        assertTrue(open > viewers.size(), open + " connections");
        viewers.forEach(Attached::close);
        client.post("/tasks/" + task + "/cancel", new JsonObject());
        client.ended(task);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (connections() > open - viewers.size()) {
            assertTrue(System.nanoTime() < deadline, "there are still " + connections() + " connections");
        }
    }

    private double connections() {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("penstock_http_connections "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }
}
