package io.penstock.engine.screen.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What xterm.js made of recorded programs; golden.mjs beside the files says how they were made. */
final class GoldenScreensTest {

    @ParameterizedTest
    @ValueSource(strings = {"vim", "less", "tmux", "shell"})
    void screensAreThoseOfXtermJs(String program) throws IOException {
        JsonObject golden = read(program);
        byte[] bytes = Base64.getDecoder().decode(golden.getString("bytes_b64"));
        for (Object each : golden.getJsonArray("screens")) {
            JsonObject expected = (JsonObject) each;
            var terminal = new Emulator(24, 80, golden.getInteger("scrollback"));
            terminal.write(bytes, 0, expected.getInteger("after_bytes"));
            terminal.resize(expected.getInteger("rows"), expected.getInteger("cols"));
            assertShown(expected, terminal.state(), program + " after " + expected.getInteger("after_bytes"));
            var again = new Emulator(
                    expected.getInteger("rows"), expected.getInteger("cols"), golden.getInteger("scrollback"));
            again.write(AnsiScreen.of(terminal.state()));
            assertEquals(terminal.state(), again.state(), program + " after " + expected.getInteger("after_bytes"));
        }
    }

    private static void assertShown(JsonObject expected, ScreenState screen, String what) {
        var lines = new ArrayList<String>();
        if (screen.alternate() == null) {
            screen.history().forEach(line -> lines.add(line.text()));
        }
        screen.shown().lines().forEach(line -> lines.add(line.text()));
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        assertEquals(expected.getJsonArray("lines").getList(), lines, what);
        assertEquals(
                List.of(expected.getInteger("row"), expected.getInteger("col")),
                Arrays.asList(screen.y(), screen.cursorColumn()),
                what);
        assertEquals(expected.getBoolean("alternate"), screen.alternate() != null, what);
        assertEquals(expected.getBoolean("bracketed_paste"), screen.modes().contains(Mode.BRACKETED_PASTE), what);
    }

    private static JsonObject read(String program) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GoldenScreensTest.class.getResourceAsStream(program + ".json"), program)) {
            return new JsonObject(Buffer.buffer(in.readAllBytes()));
        }
    }
}
