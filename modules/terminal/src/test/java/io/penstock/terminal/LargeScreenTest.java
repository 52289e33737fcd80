package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.terminal.ansi.AnsiScreen;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The escape sequences of a screen are bounded, however little output a program needs to make the screen large. */
final class LargeScreenTest {

    private static final int HISTORY_LINES = 1_000;

    private static final int MIB = 1024 * 1024;

    @Test
    void longLinkIsNotRepeatedForEachRun() {
        var terminal = new Emulator(24, 80, HISTORY_LINES);
        String address = "https://example.org/" + "a".repeat(1980);
        write(
                terminal,
                "\u001b]8;;" + address + "\u0007" + ("\u001b[31mx\u001b[32my".repeat(40) + "\r\n").repeat(1024));
        ScreenState screen = terminal.state();
        assertEquals(1000, screen.history().size());
        int ansi = AnsiScreen.of(screen).length;
        assertTrue(ansi < 2 * MIB, ansi + " bytes for a terminal");
        ScreenLine newest = screen.main().lines().get(22);
        assertEquals(new Link(address, ""), newest.cells().getLast().link());
        assertNull(screen.history().getFirst().cells().getFirst().link());
    }

    @Test
    void linkIsOpenedOnceForAdjacentRuns() {
        var terminal = new Emulator(4, 40, 10);
        write(terminal, "\u001b]8;;https://example.org\u0007one \u001b[1mtwo\u001b[m three\u001b]8;;\u0007 four");
        String ansi = new String(AnsiScreen.of(terminal.state()), StandardCharsets.UTF_8);
        assertEquals(1, ansi.split("https://example.org", -1).length - 1, ansi);
        var joined = new Emulator(4, 40, 10);
        write(joined, ansi);
        assertEquals(terminal.state(), joined.state());
    }

    @Test
    void veryWideScreenKeepsFewerScrollbackLines() {
        var terminal = new Emulator(64, 4096, HISTORY_LINES);
        write(terminal, ("x".repeat(4096) + "\r\n").repeat(300));
        assertEquals(128, terminal.state().history().size());
    }

    @Test
    void lateJoinerSeesTheSameAfterAMuchWiderScreen() {
        var terminal = new Emulator(10, 80, HISTORY_LINES);
        for (int line = 0; line < 1200; line++) {
            write(terminal, "line " + line + "x".repeat(line % 200) + "\r\n");
        }
        terminal.resize(10, 4096);
        assertEquals(128, terminal.state().history().size());
        var joined = new Emulator(10, 4096, HISTORY_LINES);
        joined.write(AnsiScreen.of(terminal.state()));
        assertEquals(terminal.state(), joined.state());
        for (Emulator each : new Emulator[] {terminal, joined}) {
            each.resize(20, 100);
            write(each, "more\r\n".repeat(300));
        }
        assertTrue(terminal.state().history().size() > 400);
        assertEquals(terminal.state(), joined.state());
    }

    @Test
    void snapshotKeepsTheNewestLinesThatFit() {
        var terminal = new Emulator(10, 500, HISTORY_LINES);
        for (int line = 0; line < 1009; line++) {
            var cells = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                cells.append("\u001b[38;2;%d;200;200;48;2;200;200;%dm%c"
                        .formatted(200 + i % 50, 200 + i % 55, 'a' + line % 26));
            }
            write(terminal, cells + "\r\n");
        }
        ScreenState screen = terminal.state();
        int told = screen.history().size();
        assertTrue(400 < told && told < 1000, told + " lines");
        assertEquals(
                String.valueOf((char) ('a' + 999 % 26)).repeat(500),
                screen.history().getLast().text());
        int ansi = AnsiScreen.of(screen).length;
        assertTrue(ansi < TerminalLimits.HISTORY_BYTES + MIB, ansi + " bytes for a terminal");
    }

    private static void write(Emulator terminal, String text) {
        terminal.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
