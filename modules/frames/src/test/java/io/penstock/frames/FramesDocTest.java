package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples in the guide to the frames equal the golden frames. */
class FramesDocTest {

    private static final Path DOC = Path.of("../../docs/frames.md");

    /** Writes the current golden frames into the guide. */
    static void renew() throws IOException {
        Files.writeString(DOC, String.join("\n", renewed(Files.readAllLines(DOC))) + "\n");
    }

    @Test
    void everyExampleIsAGoldenFrame() throws IOException {
        List<String> lines = Files.readAllLines(DOC);
        assertEquals(renewed(lines), lines);
    }

    @Test
    void everyTypeHasAnExample() throws IOException {
        var missing = new TreeSet<>(List.of(FrameType.values()));
        for (String line : Files.readAllLines(DOC)) {
            if (isExample(line)) {
                missing.remove(FrameJson.parse(line).body().type());
            }
        }
        assertEquals(new TreeSet<FrameType>(), missing);
    }

    private static boolean isExample(String line) {
        return line.startsWith("{");
    }

    /** The lines, with each example replaced by the golden frame of its id. */
    private static List<String> renewed(List<String> lines) {
        Map<String, String> golden = golden();
        var renewed = new ArrayList<String>();
        for (String line : lines) {
            if (isExample(line)) {
                // The id comes first, so it is found even in an outdated example.
                String id = line.split("\"", 5)[3];
                String frame = golden.get(id);
                assertNotNull(frame, "no golden frame has the id " + id);
                renewed.add(frame);
            } else {
                renewed.add(line);
            }
        }
        return renewed;
    }

    private static Map<String, String> golden() {
        var golden = new HashMap<String, String>();
        Stream.concat(GoldenStreams.all().values().stream(), GoldenStreams.sessions().values().stream())
                .flatMap(story -> story.frames().stream())
                .forEach(frame -> golden.put(frame.id(), FrameJson.toText(frame)));
        return golden;
    }
}
