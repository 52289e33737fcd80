package io.penstock.terminal;

import io.penstock.terminal.ansi.AnsiScreen;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The contents of {@code conformance/screens/v1}: screens of recorded programs and of random output, as viewers get them. */
final class GoldenScreens {

    static final Path ROOT = Path.of("../../conformance/screens");
    static final List<String> PROGRAMS = List.of("htop", "less", "shell", "tmux", "vim");

    /** Scrollback lines, fewer than some of the programs produce, so that the limit takes effect. */
    static final int HISTORY = 50;

    private static final int PLACES = 16;
    private static final int RANDOM = 200;
    private static final int LINKED = 60;

    private GoldenScreens() {}

    static Map<String, String> all() {
        var files = new TreeMap<String, String>();
        for (String program : PROGRAMS) {
            files.put(program + ".jsonl", lines(recording(program), PLACES));
        }
        var random = new StringBuilder();
        for (long seed = 0; seed < RANDOM; seed++) {
            random.append(withScreens(TerminalStory.random(seed)));
        }
        files.put("random.jsonl", random.toString());
        var linked = new StringBuilder();
        for (long seed = 0; seed < LINKED; seed++) {
            linked.append(withScreens(TerminalStory.random(seed, RandomOutput.LINKS)));
        }
        files.put("links.jsonl", linked.toString());
        return files;
    }

    static TerminalStory recording(String program) {
        try {
            return TerminalStory.read(ROOT.resolve("recordings/" + program + ".cast"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lines(TerminalStory story, int places) {
        var lines = new StringBuilder();
        screens(story, places)
                .forEach(screen -> lines.append(((JsonObject) screen).encode()).append('\n'));
        return lines.toString();
    }

    /** A story without a recording, and its screens, on one line. */
    static String withScreens(TerminalStory story) {
        var events = new JsonArray();
        for (TerminalStory.Event event : story.events()) {
            events.add(
                    switch (event) {
                        case TerminalStory.Output output ->
                            new JsonArray().add("o").add(new String(output.bytes(), StandardCharsets.UTF_8));
                        case TerminalStory.Size size -> new JsonArray().add("r").add(size.cols() + "x" + size.rows());
                    });
        }
        return new JsonObject()
                        .put("rows", story.rows())
                        .put("cols", story.cols())
                        .put("events", events)
                        .put("screens", screens(story, 4))
                        .encode()
                + "\n";
    }

    private static JsonArray screens(TerminalStory story, int places) {
        var screens = new JsonArray();
        var terminal = new Emulator(story.rows(), story.cols(), HISTORY);
        var before = new TerminalStory.Place(0, 0);
        for (TerminalStory.Place place : story.places(places)) {
            story.replay(terminal, before, place);
            screens.add(screen(place, terminal.state()));
            before = place;
        }
        return screens;
    }

    private static JsonObject screen(TerminalStory.Place place, ScreenState state) {
        byte[] ansi = AnsiScreen.of(state);
        int text = ansi.length - state.pending().length();
        return new JsonObject()
                .put("events", place.events())
                .put("bytes", place.bytes())
                .put("rows", state.rows())
                .put("cols", state.cols())
                .put("ansi", new String(Arrays.copyOf(ansi, text), StandardCharsets.UTF_8))
                .put("pending", state.pending());
    }
}
