package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteWriter;
import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Viewers that do not get all output: lagging ones that prefer a screen, and hidden ones. */
class JumpTest extends OneServer {

    private static final JsonObject HIDDEN = new JsonObject().put("type", "hidden");
    private static final JsonObject SHOWN = new JsonObject().put("type", "shown");
    private static final String FLOOD = "stty -echo; echo ready; read go; head -c 12000000 /dev/zero | tr '\\0' x;"
            + " sleep 0.3; echo; echo flooded; read line; echo got $line";

    private static boolean isOutput(JsonObject object) {
        return object.getString("type").equals("tool_task_output_delta");
    }

    private static JsonObject typed(int op, String text) {
        return new JsonObject().put("type", "stdin").put("op", op).put("text", text);
    }

    private static JsonObject parsed(long nextSeq) {
        return new JsonObject().put("type", "parsed").put("next_seq", nextSeq);
    }

    /** The screen sent to viewers, as text for a terminal. */
    private static String ansi(List<JsonObject> objects) {
        var bytes = new ByteArrayOutputStream();
        objects.stream()
                .filter(object -> object.getString("type").equals("attach_screen"))
                .forEach(screen -> bytes.writeBytes(Base64.getDecoder().decode(screen.getString("ansi_b64"))));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static JsonObject flood() {
        return withText(FLOOD);
    }

    /** The output after a flood is searched in the text of frames, so frames contain all of it. */
    private static JsonObject withText(String command) {
        JsonObject task = TaskClient.terminal(command);
        task.getJsonObject("args").put("max_bytes", 16 * 1024 * 1024);
        return task;
    }

    private void flooded(String task) {
        assertEquals(202, client.type(task, "go\r").statusCode());
        client.untilShown(task, "flooded");
    }

    /** Attached, and paused by its unparsed output, or by a screen in its place. */
    private Attached heldUp(String task, String query, List<JsonObject> seen) {
        Attached viewer = Attached.json(server, task, query);
        viewer.say(parsed(0));
        seen.addAll(viewer.until("attach_caught_up", List.of()));
        flooded(task);
        seen.addAll(untilHeldUp(viewer));
        return viewer;
    }

    private static List<JsonObject> untilHeldUp(Attached viewer) {
        long[] bytes = {0};
        return viewer.until(object -> {
            if (isOutput(object)) {
                bytes[0] +=
                        object.getJsonObject("artifacts").getJsonObject("log").getLong("bytes");
            }
            return bytes[0] >= 128 * 1024 || isScreen(object);
        });
    }

    private static boolean isScreen(JsonObject object) {
        return object.getString("type").equals("attach_screen") && !object.getBoolean("more");
    }

    /** The terminal's output, right after this frame. */
    private static int rowsAfter(long seq, List<JsonObject> events) {
        return events.stream()
                .filter(frame -> frame.getLong("seq") <= seq)
                .filter(frame -> frame.getString("type").equals("tool_task_resized"))
                .reduce((earlier, later) -> later)
                .map(frame -> frame.getInteger("rows"))
                .orElse(24);
    }

    /**
     * Acknowledges everything read so far, then reads and acknowledges up to this text. The text may have been read
     * before: a screen rendered after the flood already contains it.
     */
    private static List<JsonObject> untilSeen(Attached viewer, List<JsonObject> before, String text) {
        viewer.say(parsed(before.getLast().getLong("seq") + 1));
        var shown = new StringBuilder();
        before.forEach(object -> shown.append(shown(object)));
        if (shown.indexOf(text) >= 0) {
            return List.of();
        }
        return viewer.until(object -> {
            if (isOutput(object) || isScreen(object)) {
                viewer.say(parsed(object.getLong("seq") + 1));
            }
            // One write of the program may come in two pieces.
            return shown.append(shown(object)).indexOf(text) >= 0;
        });
    }

    private static String shown(JsonObject object) {
        return object.getString("chunk", "") + ansi(List.of(object));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void laggingViewerGetsAScreenAndMissesNothingButOutput(int resizes) {
        String task = client.spawn(flood());
        client.untilShown(task, "ready");
        var seen = new ArrayList<JsonObject>();
        try (Attached viewer = heldUp(task, "behind=screen", seen)) {
            for (int i = 1; i <= resizes; i++) {
                client.post(
                        "/tasks/" + task + "/resize",
                        new JsonObject().put("rows", 30).put("cols", 90 + i));
            }
            seen.addAll(untilSeen(viewer, seen, "flooded"));
            viewer.say(typed(1, "bye\r"));
            seen.addAll(viewer.rest(1000));
            var leftOut = new HashSet<Long>();
            for (int i = 0; i < seen.size(); i++) {
                JsonObject behind = seen.get(i);
                if (behind.getString("type").equals("attach_fell_behind")) {
                    assertEquals("screen", behind.getString("follows"));
                    LongStream.range(behind.getLong("from"), behind.getLong("to"))
                            .forEach(leftOut::add);
                    JsonObject screen = seen.stream()
                            .skip(i)
                            .filter(JumpTest::isScreen)
                            .findFirst()
                            .orElseThrow();
                    assertEquals(behind.getLong("to") - 1, screen.getLong("seq"));
                }
            }
            List<JsonObject> events = client.events(task);
            for (JsonObject screen : seen.stream().filter(JumpTest::isScreen).toList()) {
                assertEquals(rowsAfter(screen.getLong("seq"), events), screen.getInteger("rows"));
            }
            List<JsonObject> expected = events.stream()
                    .filter(frame -> !isOutput(frame) || !leftOut.contains(frame.getLong("seq")))
                    .toList();
            assertTrue(expected.size() < events.size() - 50, expected.size() + " of " + events.size());
            assertEquals(expected, AttachTest.frames(seen));
            assertTrue(expected.toString().contains("got bye"));
        }
    }

    @Test
    void viewerCatchesUpSoonerAfterACatchUp() {
        String task = client.spawn(withText("stty -echo; echo ready; for much in 3000000 800000; do read go;"
                + " head -c $much /dev/zero | tr '\\0' x; sleep 0.3; echo; echo flooded with $much; done; read line"));
        client.untilShown(task, "ready");
        try (Attached viewer = Attached.json(server, task, "behind=screen")) {
            viewer.say(parsed(0));
            viewer.until("attach_caught_up");
            for (String much : List.of("3000000", "800000")) {
                assertEquals(202, client.type(task, "go\r").statusCode());
                client.untilShown(task, "flooded with " + much);
                List<JsonObject> seen = untilHeldUp(viewer);
                seen.addAll(untilSeen(viewer, seen, "flooded with " + much));
                assertTrue(AttachTest.count(seen, "attach_screen") > 0, "no catch-up of " + much);
            }
        }
    }

    @Test
    void nothingIsSentBeforeAScreenIsAcknowledged() {
        String task = client.spawn(flood());
        client.untilShown(task, "ready");
        var seen = new ArrayList<JsonObject>();
        try (Attached viewer = heldUp(task, "behind=screen", seen)) {
            if (!isScreen(seen.getLast())) {
                viewer.say(parsed(seen.getLast().getLong("seq") + 1));
                seen.addAll(viewer.until(JumpTest::isScreen));
            }
            viewer.say(typed(1, "bye\r"));
            client.ended(task);
            viewer.say(typed(2, "too late\r"));
            List<JsonObject> meanwhile =
                    viewer.until(object -> object.getInteger("op", 0).equals(2));
            assertEquals(List.of(), AttachTest.frames(meanwhile));
            assertEquals(0, AttachTest.count(meanwhile, "attach_screen"));
            seen.addAll(untilSeen(viewer, seen, "got bye"));
            viewer.rest(1000);
        }
    }

    @Test
    void laggingViewerThatWantsFramesGetsAllOfThem() {
        String task = client.spawn(flood());
        client.untilShown(task, "ready");
        var seen = new ArrayList<JsonObject>();
        try (Attached viewer = heldUp(task, "behind=frames", seen)) {
            viewer.say(parsed(Integer.MAX_VALUE));
            viewer.say(typed(1, "bye\r"));
            seen.addAll(viewer.answered(object -> {
                if (isOutput(object)) {
                    viewer.say(parsed(object.getLong("seq") + 1));
                }
            }));
            assertEquals(client.events(task), AttachTest.frames(seen));
            assertTrue(seen.stream()
                    .filter(object -> object.getString("type").equals("attach_fell_behind"))
                    .allMatch(object -> object.getString("follows").equals("frames")));
        }
    }

    @Test
    void viewerOfALongHistoryDoesNotLag() {
        String task = client.spawn(flood());
        client.untilShown(task, "ready");
        flooded(task);
        for (int i = 1; i <= 300; i++) {
            client.post(
                    "/tasks/" + task + "/resize",
                    new JsonObject().put("rows", 30).put("cols", 90 + i));
        }
        assertEquals(202, client.type(task, "bye\r").statusCode());
        client.ended(task);
        try (Attached viewer = Attached.json(server, task, "from_seq=0")) {
            viewer.say(parsed(0));
            List<JsonObject> seen = viewer.answered(object -> {
                if (isOutput(object)) {
                    viewer.say(parsed(object.getLong("seq") + 1));
                }
            });
            assertEquals(client.events(task), AttachTest.frames(seen));
            assertEquals(0, AttachTest.count(seen, "attach_fell_behind"));
        }
    }

    @Test
    void viewerThatLeavesDuringACatchUpIsDetached() {
        String task = client.spawn(flood());
        client.untilShown(task, "ready");
        var seen = new ArrayList<JsonObject>();
        try (Attached viewer = heldUp(task, "behind=screen", seen);
                Attached other = Attached.json(server, task, "tail=0")) {
            other.until(object -> AttachTest.viewers(object) == 2);
            viewer.say(parsed(seen.getLast().getLong("seq") + 1));
            viewer.leave();
            other.until(object -> AttachTest.viewers(object) == 1);
            other.say(typed(1, "bye\r"));
            assertTrue(AttachTest.frames(other.rest(1000)).toString().contains("got bye"));
        }
    }

    @Test
    void hiddenTerminalGetsNoOutputAndAScreenWhenShown() {
        String task = client.spawn(
                TaskClient.terminal("stty -echo; echo ready; while read line; do echo got $line; done; echo over"));
        client.untilShown(task, "ready");
        try (Attached viewer = Attached.json(server, task, "screen=0")) {
            viewer.until("attach_caught_up");
            // Repeated, or from a viewer that is not hidden, it changes nothing.
            viewer.say(SHOWN);
            viewer.say(HIDDEN);
            viewer.say(HIDDEN);
            viewer.say(typed(1, "one\r"));
            viewer.say(typed(2, "two\r"));
            client.untilShown(task, "got two");
            viewer.say(typed(3, "three\r"));
            viewer.say(SHOWN);
            List<JsonObject> until = viewer.until("attach_screen", List.of("tool_task_output_delta"));
            JsonObject behind = until.stream()
                    .filter(object -> object.getString("type").equals("attach_fell_behind"))
                    .findFirst()
                    .orElseThrow();
            assertEquals("screen", behind.getString("follows"));
            assertTrue(ansi(until).contains("got two"));
            viewer.say(SHOWN);
            viewer.say(typed(4, "four\r"));
            List<JsonObject> live =
                    viewer.until(object -> object.getString("chunk", "").contains("got four"));
            assertEquals(0, AttachTest.count(live, "attach_screen"));
            assertEquals(
                    behind.getLong("to"), AttachTest.frames(live).getFirst().getLong("seq"));
            // Nothing was missed, so there is nothing to show.
            viewer.say(HIDDEN);
            viewer.say(SHOWN);
            viewer.say(typed(5, "five\r"));
            live = viewer.until(object -> object.getString("chunk", "").contains("got five"));
            assertEquals(0, AttachTest.count(live, "attach_fell_behind"));
            // A hidden viewer sees the end too.
            viewer.say(HIDDEN);
            viewer.say(typed(6, "\u0004"));
            List<JsonObject> rest = viewer.rest(1000);
            assertFalse(rest.stream().anyMatch(JumpTest::isOutput));
            assertEquals("ended", AttachTest.frames(rest).getLast().getString("phase"));
            assertEquals("attach_screen", rest.getLast().getString("type"));
            assertTrue(ansi(rest).contains("over"));
        }
    }

    @Test
    void hiddenLogResumesWhereItWas() {
        Path go = data.resolve("go-jump");
        String task = client.spawn(
                TaskClient.bash("echo ready; until [ -e " + go + " ]; do sleep 0.05; done; echo went; exit 3"));
        client.untilShown(task, "ready");
        try (Attached viewer = Attached.json(server, task, "");
                Attached other = Attached.json(server, task, "")) {
            List<JsonObject> before = viewer.until("attach_caught_up", List.of());
            other.until("attach_caught_up");
            viewer.say(HIDDEN);
            other.say(HIDDEN);
            other.say(SHOWN);
            client.ended(client.spawn(TaskClient.bash("touch " + go)));
            List<JsonObject> rest = viewer.rest(1000);
            assertEquals(0, AttachTest.count(rest, "attach_fell_behind"));
            before.addAll(rest);
            assertEquals(client.events(task), AttachTest.frames(before));
            String shown = other.rest(1000).toString();
            assertTrue(shown.contains("went"), shown);
        }
        // After the task's end, nothing is held back.
        try (Attached viewer = Attached.json(server, task, "")) {
            viewer.say(HIDDEN);
            assertEquals(client.events(task), AttachTest.frames(viewer.rest(1000)));
        }
    }

    @Test
    void hiddenBinaryViewerGetsNoOutputAndTheLastScreen() {
        String task = client.spawn(TaskClient.terminal("stty -echo; echo ready; read line; echo got $line; exit 0"));
        client.untilShown(task, "ready");
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?screen=0", "penstock.v1.binary")) {
            viewer.send(asked(HIDDEN));
            viewer.send(asked(typed(1, "bye\r")));
            List<Attached.Entry> entries = viewer.entries();
            assertEquals(0, entries.stream().filter(entry -> entry.kind() == 1).count());
            Attached.Entry last = entries.getLast();
            assertEquals(4, last.kind());
            assertEquals(client.events(task).size(), last.reader().readNumber());
            assertTrue(new String(last.content(), StandardCharsets.UTF_8).contains("got bye"));
        }
    }

    private static Buffer asked(JsonObject object) {
        byte[] json = object.toBuffer().getBytes();
        var head = new ByteWriter();
        head.writeByte(2);
        head.writeNumber(json.length);
        return Buffer.buffer(head.toByteArray()).appendBytes(json);
    }

    @Test
    void rawViewerMayCatchUpToo() {
        String task = client.spawn(TaskClient.terminal("echo hello; exit 0"));
        client.ended(task);
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?behind=screen", null)) {
            assertArrayEquals("hello\r\n".getBytes(StandardCharsets.UTF_8), viewer.bytes(null));
        }
    }
}
