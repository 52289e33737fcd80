package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.terminal.ansi.AnsiScreen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The screens in {@code conformance/screens} equal those computed from the recordings there; the tests of the web client check that
 * xterm.js shows both alike. Renew them with {@code ./penstock conformance --renew} only.
 */
final class ScreenConformanceTest {

    private static final Path FILES = GoldenScreens.ROOT.resolve("v1");

    @SuppressWarnings("unused") // named below
    private static final List<String> PROGRAMS = GoldenScreens.PROGRAMS;

    @BeforeAll
    static void renewIfAsked() throws IOException {
        if (Boolean.getBoolean("penstock.conformance.renew")) {
            Files.createDirectories(FILES);
            for (Map.Entry<String, String> file : GoldenScreens.all().entrySet()) {
                Files.writeString(FILES.resolve(file.getKey()), file.getValue());
            }
        }
    }

    @Test
    void everyFileEqualsTheComputedScreens() throws IOException {
        for (Map.Entry<String, String> file : GoldenScreens.all().entrySet()) {
            assertEquals(file.getValue(), Files.readString(FILES.resolve(file.getKey())), file.getKey());
        }
    }

    @ParameterizedTest
    @FieldSource("PROGRAMS")
    void lateJoinerOfAProgramSeesTheSameScreen(String program) {
        assertSameForEveryJoiner(GoldenScreens.recording(program), 60, program);
    }

    @Test
    void lateJoinerOfRandomOutputSeesTheSameScreen() {
        for (long seed = 0; seed < 10_000; seed++) {
            assertSameForEveryJoiner(TerminalStory.random(seed), 5, "seed " + seed);
        }
    }

    @Test
    void lateJoinerOfRandomHyperlinksSeesTheSameScreen() {
        for (long seed = 0; seed < 2_000; seed++) {
            String[] links = seed % 2 == 0 ? RandomOutput.LINKS : RandomOutput.LOOSE_LINKS;
            assertSameForEveryJoiner(TerminalStory.random(seed, links), 5, "seed " + seed);
        }
    }

    private static void assertSameForEveryJoiner(TerminalStory story, int places, String name) {
        var first = new Emulator(story.rows(), story.cols(), GoldenScreens.HISTORY);
        var everyone = new ArrayList<Emulator>();
        var before = new TerminalStory.Place(0, 0);
        for (TerminalStory.Place place : story.places(places)) {
            story.replay(first, before, place);
            ScreenState state = first.state();
            for (int i = 0; i < everyone.size(); i++) {
                story.replay(everyone.get(i), before, place);
                assertEquals(state, everyone.get(i).state(), name + ": joined at place " + i + ", seen at " + place);
            }
            var joined = new Emulator(state.rows(), state.cols(), GoldenScreens.HISTORY);
            joined.write(AnsiScreen.of(state));
            everyone.add(joined);
            before = place;
        }
        assertTrue(everyone.size() == places, "only " + everyone.size() + " places");
    }
}
