package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.terminal.ansi.AnsiScreen;
import io.penstock.terminal.grid.Style;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HyperlinksTest {

    private final Emulator terminal = new Emulator(4, 20, 10);

    @Test
    void cellsKeepTheirLink() {
        write("see " + link("https://example.org/a;b") + "this \u001b[1mone" + link("") + "!");
        List<ScreenCells> runs = runs(0);
        assertEquals(
                List.of("see ", "this ", "one", "!"),
                runs.stream().map(ScreenCells::text).toList());
        var there = new Link("https://example.org/a;b", "");
        assertEquals(there, runs.get(1).link());
        assertEquals(there, runs.get(2).link());
        assertNull(runs.get(3).link());
    }

    @Test
    void lateJoinerContinuesTheOpenLink() {
        write("\u001b]8;x=1:id=7;https://example.org\u001b\\one");
        var joined = new Emulator(4, 20, 10);
        joined.write(AnsiScreen.of(terminal.state()));
        joined.write("\u001b[m two".getBytes(StandardCharsets.UTF_8));
        assertEquals(
                List.of(new ScreenCells("one two", 7, Style.PLAIN, new Link("https://example.org", "7"))),
                joined.state().shown().lines().getFirst().cells());
    }

    @Test
    void resetOrEmptyAddressEndsTheLink() {
        write(link("https://example.org") + "\u001b[!pa" + link("https://example.org") + "\u001bcb");
        assertNull(runs(0).getFirst().link());
        write(link("https://example.org") + "\u001b]8;id=1;\u0007\r\u001b]8;;\u0007c");
        assertNull(runs(0).getFirst().link());
    }

    @Test
    void tooLongLinkIsPlainText() {
        String address = "https://example.org/".repeat(TerminalLimits.LINK_CHARS / 20 + 1);
        write(link(address) + "a" + link("https://example.org") + "b" + link(address.repeat(3)) + "c");
        assertEquals(
                List.of("a", "b", "c"), runs(0).stream().map(ScreenCells::text).toList());
        assertNull(runs(0).get(0).link());
        assertNull(runs(0).get(2).link());
    }

    @Test
    void unusedLinksMakeRoomForNewOnes() {
        for (int i = 0; i < 3 * TerminalLimits.LINKS; i++) {
            write(link("https://example.org/" + i) + i + "\r\n");
        }
        int last = 3 * TerminalLimits.LINKS - 1;
        assertEquals(
                new Link("https://example.org/" + last, ""), runs(2).getFirst().link());
    }

    @Test
    void linksBeyondTheLimitArePlainText() {
        int cols = TerminalLimits.LINKS / 64;
        var large = new Emulator(70, cols, 0);
        for (int i = 0; i < 65 * cols; i++) {
            large.write((link("https://example.org/" + i) + "x").getBytes(StandardCharsets.UTF_8));
        }
        List<ScreenLine> lines = large.state().main().lines();
        assertEquals(
                new Link("https://example.org/" + (TerminalLimits.LINKS - 1), ""),
                lines.get(63).cells().getLast().link());
        assertEquals(1, lines.get(64).cells().size());
        assertNull(lines.get(64).cells().getFirst().link());
    }

    private static String link(String address) {
        return "\u001b]8;;" + address + "\u0007";
    }

    private List<ScreenCells> runs(int row) {
        return terminal.state().shown().lines().get(row).cells();
    }

    private void write(String text) {
        terminal.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
