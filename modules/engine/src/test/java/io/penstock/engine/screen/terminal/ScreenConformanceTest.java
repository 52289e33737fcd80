package io.penstock.engine.screen.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * The screens in {@code conformance/screens} are what is made of the recordings there; the tests of the web client hold that
 * xterm.js shows them as it shows the recordings. Renewed by {@code ./penstock conformance --renew}, never otherwise.
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
    void everyFileIsByteForByteWhatIsMade() throws IOException {
        for (Map.Entry<String, String> file : GoldenScreens.all().entrySet()) {
            assertEquals(file.getValue(), Files.readString(FILES.resolve(file.getKey())), file.getKey());
        }
    }

    @ParameterizedTest
    @FieldSource("PROGRAMS")
    void whoJoinsAProgramAnywhereSeesWhatIsSeenFromTheStart(String program) {
        assertSameForEveryone(GoldenScreens.recording(program), 60, program);
    }

    @Test
    void whoJoinsOutputAtRandomAnywhereSeesWhatIsSeenFromTheStart() {
        for (long seed = 0; seed < 10_000; seed++) {
            assertSameForEveryone(TerminalStory.random(seed), 5, "seed " + seed);
        }
    }

    @Test
    void andSoWhereHyperlinksAreBetween() {
        for (long seed = 0; seed < 2_000; seed++) {
            String[] links = seed % 2 == 0 ? RandomOutput.LINKS : RandomOutput.LOOSE_LINKS;
            assertSameForEveryone(TerminalStory.random(seed, links), 5, "seed " + seed);
        }
    }

    private static void assertSameForEveryone(TerminalStory story, int places, String name) {
        var first = new Emulator(story.rows(), story.cols(), GoldenScreens.HISTORY);
        var everyone = new ArrayList<Emulator>();
        var before = new TerminalStory.Place(0, 0);
        for (TerminalStory.Place place : story.places(places)) {
            story.tell(first, before, place);
            ScreenState state = first.state();
            for (int i = 0; i < everyone.size(); i++) {
                story.tell(everyone.get(i), before, place);
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
