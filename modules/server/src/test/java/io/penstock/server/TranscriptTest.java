package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What viewers and the server say to each other is what stands in {@code conformance/attach}, but for ids, times and what depends on
 * the machine. Renewed by {@code ./penstock conformance --renew}, never otherwise.
 */
class TranscriptTest extends OneServer {

    private static final Path ROOT = Path.of("../../conformance/attach/v1");
    private static final String TASK = "11111111-2222-4333-8444-555555555555";
    private static final HexFormat HEX = HexFormat.of();

    private final Set<String> told = new TreeSet<>();

    @BeforeAll
    void makeFolder() throws IOException {
        Files.createDirectories(ROOT);
    }

    @AfterAll
    void allFilesWereTold() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            assertEquals(
                    told,
                    files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    /** One session, line by line. */
    private final class Story {
        private final StringBuilder lines = new StringBuilder();
        private final String name;
        private final String task;

        Story(String name, String task, String query, String subprotocol) {
            this.name = name;
            this.task = task;
            line(new JsonObject().put("attach", query).put("subprotocol", subprotocol));
        }

        private void line(JsonObject line) {
            lines.append(usual(line.encode())).append('\n');
        }

        void says(Attached viewer, JsonObject object) {
            viewer.say(object);
            line(new JsonObject().put("viewer", object));
        }

        void sends(Attached viewer, int kind, byte[] content, JsonObject means) {
            byte[] entry = entry(kind, content);
            viewer.send(Buffer.buffer(entry));
            line(new JsonObject().put("viewer", HEX.formatHex(entry)).put("means", means));
        }

        /** News first: what is told beside the frames has no place among them. Who else is there is told at any time. */
        void hears(List<JsonObject> objects) {
            objects.stream()
                    .filter(object -> !object.getString("type").equals("attach_viewers"))
                    .sorted(Comparator.comparing(
                            object -> !Set.of("attach_done", "attach_refused").contains(object.getString("type"))))
                    .forEach(object -> line(new JsonObject().put("server", object)));
        }

        void hearsEntries(List<Attached.Entry> entries) {
            entries.forEach(this::hears);
        }

        private void hears(Attached.Entry entry) {
            ByteReader reader = entry.reader();
            var means = new JsonObject();
            byte[] content = entry.content();
            switch (entry.kind()) {
                case 1 -> {
                    means.put("kind", "output")
                            .put("nextSeq", reader.readNumber())
                            .put("channel", List.of("stdout", "stderr", "pty").get(reader.readByte()))
                            .put("offset", reader.readNumber());
                    means.put("text", new String(reader.readRest(), StandardCharsets.UTF_8));
                }
                case 2, 3 -> {
                    var json = new JsonObject(usual(entry.json().encode()));
                    if (json.getString("type").equals("attach_viewers")) {
                        return;
                    }
                    content = json.encode().getBytes(StandardCharsets.UTF_8);
                    means.put("kind", entry.kind() == 2 ? "frame" : "news").put("json", json);
                }
                default -> {
                    means.put("kind", "screen")
                            .put("nextSeq", reader.readNumber())
                            .put("rows", reader.readNumber())
                            .put("cols", reader.readNumber())
                            .put("left", reader.readNumber());
                    means.put("text", new String(reader.readRest(), StandardCharsets.UTF_8));
                }
            }
            line(new JsonObject()
                    .put("server", HEX.formatHex(entry(entry.kind(), content)))
                    .put("means", means));
        }

        private String usual(String json) {
            return json.replace(task, TASK)
                    .replaceAll("artifacts/[0-9a-f]{2}/", "artifacts/11/")
                    .replaceAll("_ms\":[1-9][0-9]*", "_ms\":1")
                    .replaceAll("sha256:[0-9a-f]{64}", "sha256:" + "0".repeat(64))
                    .replaceAll("\"containment\":\"[a-z]+\"", "\"containment\":\"session\"")
                    .replaceAll("\"viewer\":\"v[0-9]+\"", "\"viewer\":\"v1\"");
        }

        void isOver(int code) throws IOException {
            line(new JsonObject().put("closed", code));
            String file = name + ".jsonl";
            told.add(file);
            if (Boolean.getBoolean("penstock.conformance.renew")) {
                Files.writeString(ROOT.resolve(file), lines);
            }
            assertEquals(Files.readString(ROOT.resolve(file)), lines.toString(), file);
        }
    }

    private static byte[] entry(int kind, byte[] content) {
        var head = new ByteWriter();
        head.writeByte(kind);
        head.writeNumber(content.length);
        return Buffer.buffer(head.toByteArray()).appendBytes(content).getBytes();
    }

    private static JsonObject stdin(int op, String text) {
        return new JsonObject().put("type", "stdin").put("op", op).put("text", text);
    }

    private void ofEnded(String name, JsonObject spawn, String query) throws IOException {
        String task = client.spawn(spawn);
        client.ended(task);
        var json = new Story(name + ".json", task, query, "penstock.v1.json");
        try (Attached viewer = Attached.json(server, task, query)) {
            json.hears(viewer.rest(1000));
        }
        json.isOver(1000);
        var binary = new Story(name + ".binary", task, query, "penstock.v1.binary");
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?" + query, "penstock.v1.binary")) {
            binary.hearsEntries(viewer.entries());
        }
        binary.isOver(1000);
    }

    @Test
    void allOfAnEndedTask() throws IOException {
        ofEnded("ended", TaskClient.bash("echo hello; exit 3"), "from_seq=0");
    }

    @Test
    void theLastOfAnEndedTask() throws IOException {
        ofEnded("tail", TaskClient.bash("echo hello"), "tail=1");
    }

    @Test
    void aScreen() throws IOException {
        ofEnded("screen", TaskClient.terminal("printf '\\e[1mhello\\e[m grüße'"), "screen=0");
    }

    private String asking() {
        String task = client.spawn(
                TaskClient.terminal("stty -echo; echo ready; while read line; do echo got $line; done; exit 0"));
        // From here on nothing is told that is not asked for.
        client.untilItWaits(task, 1);
        return task;
    }

    @Test
    void operations() throws IOException {
        String task = asking();
        var story = new Story("operations.json", task, "tail=0&client=me", "penstock.v1.json");
        try (Attached viewer = Attached.json(server, task, "tail=0&client=me")) {
            story.hears(viewer.untilAll(List.of(is("attach_caught_up"))));
            for (int again = 0; again < 2; again++) {
                story.says(viewer, stdin(1, "one\r"));
                story.hears(
                        again == 0
                                ? viewer.untilAll(List.of(done(1), shown("got one"), InputWaits::begins))
                                : viewer.untilAll(List.of(done(1))));
            }
            story.says(
                    viewer,
                    new JsonObject()
                            .put("type", "resize")
                            .put("op", 2)
                            .put("rows", 50)
                            .put("cols", 132));
            story.hears(viewer.untilAll(List.of(done(2), is("tool_task_resized"))));
            story.says(
                    viewer,
                    new JsonObject().put("type", "size_policy").put("op", 3).put("policy", "fixed"));
            story.hears(viewer.untilAll(List.of(done(3))));
            story.says(
                    viewer,
                    new JsonObject()
                            .put("type", "resize")
                            .put("op", 4)
                            .put("rows", 20)
                            .put("cols", 60));
            story.hears(viewer.untilAll(List.of(done(4))));
            story.says(viewer, new JsonObject().put("type", "paste"));
            story.hears(viewer.untilAll(List.of(is("attach_refused"))));
            story.says(viewer, stdin(5, "\u0004"));
            story.hears(viewer.rest(1000));
        }
        story.isOver(1000);
    }

    @Test
    void whoViewsOnly() throws IOException {
        String task = asking();
        var story = new Story("view.json", task, "tail=0&rights=view", "penstock.v1.json");
        try (Attached viewer = Attached.json(server, task, "tail=0&rights=view")) {
            story.hears(viewer.untilAll(List.of(is("attach_caught_up"))));
            story.says(viewer, stdin(1, "one\r"));
            story.hears(viewer.untilAll(List.of(is("attach_refused"))));
            client.type(task, "\u0004");
            story.hears(viewer.rest(1000));
        }
        story.isOver(1000);
    }

    @Test
    void hiddenAndShown() throws IOException {
        String task = asking();
        var story = new Story("hidden.json", task, "screen=0", "penstock.v1.json");
        try (Attached viewer = Attached.json(server, task, "screen=0")) {
            story.hears(viewer.untilAll(List.of(is("attach_caught_up"))));
            story.says(viewer, new JsonObject().put("type", "hidden"));
            story.says(viewer, stdin(1, "one\r"));
            story.hears(viewer.untilAll(List.of(done(1), is("tool_task_stdin_written"), InputWaits::begins)));
            story.says(viewer, new JsonObject().put("type", "shown"));
            story.hears(viewer.untilAll(List.of(is("attach_screen"))));
            story.says(viewer, new JsonObject().put("type", "hidden"));
            story.says(viewer, stdin(2, "two\r"));
            story.hears(viewer.untilAll(List.of(done(2), is("tool_task_stdin_written"), InputWaits::begins)));
            story.says(viewer, stdin(3, "\u0004"));
            story.hears(viewer.rest(1000));
        }
        story.isOver(1000);
    }

    @Test
    void hiddenInBytes() throws IOException {
        String task = asking();
        var story = new Story("hidden.binary", task, "tail=0", "penstock.v1.binary");
        try (var viewer = new Attached(server, "/tasks/" + task + "/attach?tail=0", "penstock.v1.binary")) {
            var hidden = new JsonObject().put("type", "hidden");
            story.sends(
                    viewer,
                    3,
                    new byte[] {0},
                    new JsonObject().put("type", "parsed").put("next_seq", 0));
            story.sends(viewer, 2, hidden.toBuffer().getBytes(), hidden);
            story.sends(
                    viewer,
                    1,
                    Buffer.buffer(new byte[] {(byte) 0xac, 2})
                            .appendString("one\r")
                            .getBytes(),
                    stdin(300, "one\r"));
            client.untilItWaits(task, 2);
            client.type(task, "\u0004");
            List<Attached.Entry> entries = new ArrayList<>(viewer.entries());
            // An answer comes when it is recorded, among the frames or before them.
            entries.sort(Comparator.comparing(entry ->
                    entry.kind() != 3 || !entry.json().getString("type").equals("attach_done")));
            story.hearsEntries(entries);
        }
        story.isOver(1000);
    }

    private static Predicate<JsonObject> is(String type) {
        return object -> object.getString("type").equals(type);
    }

    private static Predicate<JsonObject> done(int op) {
        return object -> object.getString("type").equals("attach_done") && object.getInteger("op") == op;
    }

    private static Predicate<JsonObject> shown(String text) {
        return object -> object.getString("chunk", "").contains(text);
    }
}
