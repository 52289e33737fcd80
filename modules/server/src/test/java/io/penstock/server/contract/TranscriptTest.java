package io.penstock.server.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.InputWaits;
import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The messages between viewers and server agree with {@code conformance/attach}, except ids, times and what depends on
 * the machine. Renewed by {@code ./penstock conformance --renew}, never otherwise.
 */
public class TranscriptTest extends OneServer {

    private final Set<String> told = new TreeSet<>();

    @BeforeAll
    void makeFolder() throws IOException {
        Files.createDirectories(Story.ROOT);
    }

    @AfterAll
    void allFilesWereTold() throws IOException {
        try (Stream<Path> files = Files.list(Story.ROOT)) {
            assertEquals(
                    told,
                    files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    private Story story(String name, String task, String query, String subprotocol) {
        told.add(name + ".jsonl");
        return new Story(name, task, query, subprotocol);
    }

    private static JsonObject stdin(int op, String text) {
        return new JsonObject().put("type", "stdin").put("op", op).put("text", text);
    }

    private void ofEnded(String name, JsonObject spawn, String query) throws IOException {
        String task = client.spawn(spawn);
        client.ended(task);
        var json = story(name + ".json", task, query, "penstock.v1.json");
        try (Attached viewer = Attached.json(server, task, query)) {
            json.hears(viewer.rest(1000));
        }
        json.isOver(1000);
        var binary = story(name + ".binary", task, query, "penstock.v1.binary");
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
        // From here on nothing is sent without a request.
        client.untilItWaits(task, 1);
        return task;
    }

    @Test
    void operations() throws IOException {
        String task = asking();
        var story = story("operations.json", task, "tail=0&client=me", "penstock.v1.json");
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
        var story = story("view.json", task, "tail=0&rights=view", "penstock.v1.json");
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
        var story = story("hidden.json", task, "screen=0", "penstock.v1.json");
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
        var story = story("hidden.binary", task, "tail=0", "penstock.v1.binary");
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

    /** A program that reads from the test, line by line, the text to write, each line in its own frame. */
    private final class Lines implements AutoCloseable {
        final String task;
        private final OutputStream pipe;
        private final Attached other;

        Lines() throws IOException {
            Path name = data.resolve("lines-" + UUID.randomUUID());
            task = client.spawn(TaskClient.bash("mkfifo " + name + "; echo ready; cat " + name));
            client.untilShown(task, "ready");
            pipe = Files.newOutputStream(name);
            other = Attached.json(server, task, "tail=0");
        }

        /** More than a viewer may lag without a notice. */
        void writeMany() throws IOException {
            for (int i = 1; i <= 260; i++) {
                String line = i + "\n";
                pipe.write(line.getBytes(StandardCharsets.US_ASCII));
                other.until(object -> object.getString("chunk", "").equals(line));
            }
        }

        void end() throws IOException {
            pipe.close();
        }

        @Override
        public void close() throws IOException {
            end();
            other.close();
        }
    }

    private static final JsonObject FIXED =
            new JsonObject().put("type", "size_policy").put("op", 1).put("policy", "fixed");

    /** Hidden, so that it is sent nothing; the answer to a later request shows that the server knows. */
    @Test
    void whoFellBehindAndIsShownAllFrames() throws IOException {
        try (var lines = new Lines();
                Attached viewer = Attached.json(server, lines.task, "tail=0")) {
            var story = story("behind.json", lines.task, "tail=0", "penstock.v1.json");
            story.hears(viewer.untilAll(List.of(is("attach_caught_up"))));
            story.says(viewer, new JsonObject().put("type", "hidden"));
            story.says(viewer, FIXED);
            story.hears(viewer.untilAll(List.of(done(1))));
            lines.writeMany();
            story.says(viewer, new JsonObject().put("type", "shown"));
            story.hears(viewer.untilAll(List.of(shown("260\n"))));
            lines.end();
            story.hears(viewer.rest(1000));
            story.isOver(1000);
        }
    }

    @Test
    void whoFellBehindAndIsShownAllBytes() throws IOException {
        try (var lines = new Lines();
                var viewer = new Attached(server, "/tasks/" + lines.task + "/attach?tail=0", "penstock.v1.binary")) {
            var story = story("behind.binary", lines.task, "tail=0", "penstock.v1.binary");
            story.hearsEntries(viewer.entries(news("attach_caught_up")));
            var hidden = new JsonObject().put("type", "hidden");
            story.sends(viewer, 2, hidden.toBuffer().getBytes(), hidden);
            story.sends(viewer, 2, FIXED.toBuffer().getBytes(), FIXED);
            story.hearsEntries(viewer.entries(news("attach_done")));
            lines.writeMany();
            var shown = new JsonObject().put("type", "shown");
            story.sends(viewer, 2, shown.toBuffer().getBytes(), shown);
            story.hearsEntries(
                    viewer.entries(entry -> new String(entry.content(), StandardCharsets.UTF_8).endsWith("260\n")));
            lines.end();
            story.hearsEntries(viewer.entries());
            story.isOver(1000);
        }
    }

    public static Predicate<Attached.Entry> news(String type) {
        return entry -> entry.kind() == 3 && entry.json().getString("type").equals(type);
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
