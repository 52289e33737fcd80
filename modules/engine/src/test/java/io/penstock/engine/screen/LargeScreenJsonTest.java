package io.penstock.engine.screen;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.penstock.terminal.Emulator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The JSON of a screen is bounded, however little output a program needs to make the screen large. */
final class LargeScreenJsonTest {

    private static final int MIB = 1024 * 1024;

    @Test
    void longLinkUnderManyColoursIsNotRepeatedForEachCell() {
        var terminal = new Emulator(24, 80, Limits.SCREEN_HISTORY_LINES);
        String address = "https://example.org/" + "a".repeat(1980);
        String linked = "\u001b]8;;" + address + "\u0007" + ("\u001b[31mx\u001b[32my".repeat(40) + "\r\n").repeat(1024);
        terminal.write(linked.getBytes(StandardCharsets.UTF_8));
        int chars = 0;
        for (var pieces = ScreenJson.pieces(new ScreenSnapshot("t", 1, 1, true, terminal.state()));
                pieces.hasNext(); ) {
            chars += pieces.next().length();
        }
        assertTrue(chars < 16 * MIB, chars + " characters of JSON");
    }
}
