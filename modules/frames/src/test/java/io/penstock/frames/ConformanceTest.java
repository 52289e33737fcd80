package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The files in {@code conformance/} equal the output of the scenarios and are read as they say. Renew them with
 * {@code ./penstock conformance --renew} only.
 */
class ConformanceTest {

    static final Path ROOT = Path.of("../../conformance");
    private static final ObjectMapper MAPPER = StrictJson.FRAMES;

    @BeforeAll
    static void renewIfAsked() throws IOException {
        if (!Boolean.getBoolean("penstock.conformance.renew")) {
            return;
        }
        Map<String, String> made = ConformanceFiles.all();
        if (Files.isDirectory(ROOT)) {
            refuseAnotherStoredForm();
            for (String stray : found()) {
                if (!made.containsKey(stray)) {
                    Files.delete(ROOT.resolve(stray));
                }
            }
        }
        for (Map.Entry<String, String> file : made.entrySet()) {
            Path path = ROOT.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        FramesDocTest.renew();
        System.out.println("Renewed " + made.size() + " files in conformance/");
    }

    /** A renewal may follow the scenarios, but must not hide that the same body is stored in different bytes. */
    private static void refuseAnotherStoredForm() throws IOException {
        for (String line : Files.readAllLines(ROOT.resolve("stored/v1.txt"))) {
            String[] parts = line.split(" ", -1);
            FrameBody body = StoredForm.read(
                    FrameType.ofCode(Integer.parseInt(parts[1])),
                    new ByteReader(HexFormat.of().parseHex(parts[2])));
            assertEquals(
                    parts[2],
                    HexFormat.of().formatHex(Forms.stored(body)),
                    "The stored form has changed: keep stored/v1.txt unchanged and add a v2 next to it. " + line);
        }
    }

    private static TreeSet<String> found() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            var names = new TreeSet<String>();
            files.filter(Files::isRegularFile)
                    .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.equals("README.md"))
                    // The tests of the terminal and of the server check these.
                    .filter(name ->
                            !name.startsWith("screens/") && !name.startsWith("attach/") && !name.startsWith("taskd/"))
                    .forEach(names::add);
            return names;
        }
    }

    @Test
    void everyScenarioHasItsFileAndNoFileIsLeftOver() throws IOException {
        assertEquals(new TreeSet<>(ConformanceFiles.all().keySet()), found());
    }

    @Test
    void everyFileEqualsTheOutputOfItsScenario() throws IOException {
        for (Map.Entry<String, String> file : ConformanceFiles.all().entrySet()) {
            assertEquals(file.getValue(), Files.readString(ROOT.resolve(file.getKey())), file.getKey());
        }
    }

    @Test
    void goldenStreamsFoldToTheirStatesAndSurviveTheirForms() throws IOException {
        int frames = 0;
        for (String name : GoldenStreams.all().keySet()) {
            TaskState state = TaskState.ABSENT;
            for (String line : Files.readAllLines(ROOT.resolve("streams/v1/" + name + ".jsonl"))) {
                JsonNode pair = MAPPER.readTree(line);
                Frame frame = FrameJson.parse(pair.get("frame").toString());
                state = state.after(frame);
                String where = frame.id();
                assertEquals(TaskStateJson.parse(pair.get("state").toString()), state, where);
                assertEquals(pair.get("state").toString(), TaskStateJson.toText(state), where);
                assertEquals(pair.get("frame").toString(), FrameJson.toText(frame), where);
                assertEquals(Forms.recorded(frame.body()), Forms.storedAndRead(frame.body()), where);
                frames++;
            }
        }
        assertTrue(frames > 100, "only " + frames + " frames");
    }

    @Test
    void everyTypeOfFrameHasAGoldenOne() {
        var missing = new TreeSet<>(List.of(FrameType.values()));
        Stream.concat(GoldenStreams.all().values().stream(), GoldenStreams.sessions().values().stream())
                .flatMap(story -> story.frames().stream())
                .forEach(frame -> missing.remove(frame.body().type()));
        assertEquals(new TreeSet<FrameType>(), missing);
    }

    @Test
    void storedFormsOfVersion1AreStillRead() throws IOException {
        for (String line : Files.readAllLines(ROOT.resolve("stored/v1.txt"))) {
            String[] parts = line.split(" ", -1);
            String[] name = parts[0].split("/", -1);
            Story session = GoldenStreams.sessions().get(name[0]);
            Story story = session == null ? GoldenStreams.all().get(name[0]) : session;
            assertNotNull(story, line);
            FrameBody body = StoredForm.read(
                    FrameType.ofCode(Integer.parseInt(parts[1])),
                    new ByteReader(HexFormat.of().parseHex(parts[2])));
            assertEquals(
                    Forms.recorded(story.frames().get(Integer.parseInt(name[1])).body()), body, line);
        }
    }

    @Test
    void framesFromBeforeFieldsWereAddedAreStillRead() throws IOException {
        for (String line : Files.readAllLines(ROOT.resolve("older/v1.jsonl"))) {
            JsonNode pair = MAPPER.readTree(line);
            Frame read = FrameJson.parse(pair.get("older").toString());
            assertTrue(
                    pair.get("older").toString().length()
                            < pair.get("frame").toString().length(),
                    line);
            assertEquals(pair.get("frame").toString(), FrameJson.toText(read));
        }
    }

    @Test
    void illegalStreamsAreRefusedWithTheirError() throws IOException {
        for (String name : IllegalStreams.all().keySet()) {
            JsonNode file = MAPPER.readTree(Files.readString(ROOT.resolve("illegal/v1/" + name + ".json")));
            TaskState state = stateAfter(file.get("after"));
            Frame illegal = FrameJson.parse(file.get("illegal").toString());
            Failure failure = ConformanceFiles.failure(() -> state.after(illegal));
            assertEquals(FailureCode.ILLEGAL_FRAME, failure.code(), name);
            assertEquals(file.get("error").get("message").textValue(), failure.getMessage(), name);
        }
    }

    /** The state after a line of a golden stream, named like {@code exit-0.jsonl:3}; null names the beginning. */
    private static TaskState stateAfter(JsonNode place) throws IOException {
        TaskState state = TaskState.ABSENT;
        if (!place.isNull()) {
            String[] parts = place.textValue().split(":", -1);
            int line = Integer.parseInt(parts[1]);
            List<String> lines = Files.readAllLines(ROOT.resolve("streams/v1/" + parts[0]));
            for (String pair : lines.subList(0, line)) {
                state = state.after(
                        FrameJson.parse(MAPPER.readTree(pair).get("frame").toString()));
            }
        }
        return state;
    }

    @Test
    void malformedFramesAreRefusedWithTheirError() throws IOException {
        for (String name : MalformedFrames.all().keySet()) {
            JsonNode file = MAPPER.readTree(Files.readString(ROOT.resolve("malformed/v1/" + name + ".json")));
            Failure failure = ConformanceFiles.failure(
                    () -> FrameJson.parse(file.get("text").textValue()));
            assertEquals(
                    file.get("error").get("code").textValue(), failure.code().name(), name);
            assertEquals(file.get("error").get("message").textValue(), failure.getMessage(), name);
        }
    }
}
