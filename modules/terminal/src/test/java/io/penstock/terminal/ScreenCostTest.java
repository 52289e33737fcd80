package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.terminal.grid.Work;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The cost of output, counted in cells: no sequence, with any numbers, may cost more than a few screens. */
final class ScreenCostTest {

    private static final int HISTORY_LINES = 1_000;

    private static final int HUGE = Integer.MAX_VALUE;

    /** Cells are moved, erased and written: a wide character repeated in insert mode fills two screens. */
    private static final int TOUCHES_PER_CELL = 10;

    /** States set before a sequence that make it expensive. */
    private static final String[] SITUATIONS = {
        "",
        "\u001b[44m",
        "\u001b[4h",
        "\u001b[44;4m\u001b[4h",
        "\u001b[?7l",
        "\u001b[?1049h\u001b[42m",
        "\u001b[2;900r\u001b[?6h\u001b[45m",
        "\u001b]8;;https://example.org\u0007\u001b[41m"
    };

    private static final String[] BEFORE = {
        "", "x", "\u6f22", "e\u0301\u0302\u0303", "\u001b[900;900H\u6f22", "\u001b[H"
    };

    private static final int[][] SIZES = {{64, 300}, {1024, 2}, {16, 1024}};

    @Test
    void noSequenceCostsMoreThanAFewScreens() {
        for (int[] size : SIZES) {
            for (String situation : SITUATIONS) {
                for (String before : BEFORE) {
                    var terminal = full(size[0], size[1]);
                    write(terminal, situation);
                    for (int end = 0x40; end < 0x7f; end++) {
                        for (String marks : new String[] {"", "?", "!", " ", "'", "#"}) {
                            String sequence = marks.equals("#")
                                    ? "\u001b#" + (char) (end - 0x10)
                                    : marks.equals("?") || marks.equals("!")
                                            ? "\u001b[" + marks + number(end) + (char) end
                                            : "\u001b[" + HUGE + marks + (char) end;
                            assertBounded(terminal, before, sequence);
                        }
                        assertBounded(terminal, before, "\u001b" + (char) end);
                        write(terminal, "\u001b\\");
                    }
                    for (char control = 1; control < 0xa0; control++) {
                        assertBounded(terminal, before, String.valueOf(control));
                        write(terminal, "\u001b\\");
                    }
                }
            }
        }
    }

    /** A parameter for the final byte: large, except where it selects an action. */
    private static String number(int end) {
        return switch (end) {
            case 'J', 'K' -> "2";
            case 'h', 'l' -> "47;1047;1048;1049;6;7;2";
            default -> String.valueOf(HUGE);
        };
    }

    @Test
    void repeatedPatternOrEraseIsCheap() {
        for (String sequence :
                new String[] {"\u001b#8", "\u001b[41m\u001b[2J", "\u001b[41m\u001b[J", "\u001b[41m\u001b[999L"}) {
            var terminal = full(256, 1000);
            write(terminal, "\u001b[H" + sequence);
            long begun = terminal.work();
            write(terminal, sequence.repeat(1000));
            long each = (terminal.work() - begun) / 1000;
            assertTrue(each <= 4 * 256 + 1000, sequence.replace("\u001b", "ESC") + " costs " + each + " cells");
        }
    }

    @Test
    void repeatedCharacterEqualsTypedCharacters() {
        String[] characters = {"x", "\u6f22", "e\u0301\u0302", "\ud83d\ude00"};
        for (long seed = 0; seed < 3000; seed++) {
            var output = new RandomOutput(seed);
            int rows = 2 + output.number(6);
            int cols = 2 + output.number(12);
            byte[] before = output.pieces(output.number(40));
            String character = characters[output.number(characters.length)];
            int times = 1 + output.number(rows * cols);
            // Without changes of the pen, so that both are written alike.
            String mode = "\u001b[4" + "hl".charAt(output.number(2)) + "\u001b[?7" + "hl".charAt(output.number(2))
                    + "\u001b(B\u000f";
            var repeated = new Emulator(rows, cols, 20);
            repeated.write(before);
            write(repeated, "\u0018" + mode + character);
            if (repeated.lastCells() == 0) {
                continue;
            }
            write(repeated, "\u001b[" + times + "b\u001b[m");
            var written = new Emulator(rows, cols, 20);
            written.write(before);
            write(written, "\u0018" + mode + character + character.repeat(times) + "\u001b[m");
            assertEquals(written.state(), repeated.state(), "seed " + seed);
        }
    }

    @Test
    void resizeCostsAFewTimesTheKeptCells() {
        var terminal = full(64, 4096);
        for (int i = 0; i < 6; i++) {
            long begun = terminal.work();
            terminal.resize(i % 2 == 0 ? 4096 : 64, i % 2 == 0 ? 2 : 4096);
            long cost = terminal.work() - begun;
            assertTrue(cost <= 16L * kept(64, 4096), "a resize costs " + cost);
        }
    }

    @Test
    void hostileOutputCostsBoundedScreensPerByte() {
        for (long seed = 0; seed < 60; seed++) {
            var output = new RandomOutput(seed);
            int[] size = SIZES[output.number(SIZES.length)];
            var terminal = full(size[0], size[1]);
            for (int i = 0; i < 200; i++) {
                String sequence = output.hostile();
                long begun = terminal.work();
                write(terminal, sequence);
                long cost = terminal.work() - begun;
                assertTrue(
                        cost <= sequence.length() * TOUCHES_PER_CELL * kept(size[0], size[1]),
                        "seed " + seed + ": " + sequence.replace("\u001b", "ESC") + " costs " + cost);
            }
        }
    }

    @Test
    void outputEmulatedInTurnsGivesTheSameScreen() {
        for (long seed = 0; seed < 1000; seed++) {
            var output = new RandomOutput(seed);
            byte[] bytes = seed % 3 == 0 ? output.rubbish(400) : output.pieces(150);
            var whole = new Emulator(8, 20, 20);
            whole.write(bytes);
            var inTurns = new Emulator(8, 20, 20);
            int turns = 0;
            for (int at = 0; at < bytes.length; turns++) {
                at = inTurns.write(bytes, at, bytes.length, inTurns.work() + 1 + output.number(200));
            }
            assertTrue(turns > 1);
            assertEquals(whole.state(), inTurns.state(), "seed " + seed);
        }
    }

    @Test
    void longTextEmulatedInTurnsGivesTheSameScreen() {
        var text = new StringBuilder();
        for (int i = 0; i < 40_000; i++) {
            text.append(i % 7 == 0 ? "\u001b[3" + i % 8 + "m" : "")
                    .append("line ")
                    .append(i)
                    .append("\r\n");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        var whole = new Emulator(24, 80, 100);
        whole.write(bytes);
        var inTurns = new Emulator(24, 80, 100);
        for (int at = 0; at < bytes.length; ) {
            at = inTurns.write(bytes, at, bytes.length, inTurns.work() + 500);
        }
        assertEquals(whole.state(), inTurns.state());
    }

    private static void assertBounded(Emulator terminal, String before, String sequence) {
        write(terminal, before);
        long begun = terminal.work();
        write(terminal, sequence);
        long cost = terminal.work() - begun;
        long most = TOUCHES_PER_CELL * screen(terminal.grid.rows(), terminal.grid.cols());
        assertTrue(
                cost <= most,
                sequence.replace("\u001b", "ESC") + " costs " + cost + " of " + most + " on " + terminal.grid.rows()
                        + " by " + terminal.grid.cols());
    }

    /** The cells of the screen, and the cost of allocating its lines and scrolling each of them through. */
    private static long screen(int rows, int cols) {
        return (long) rows * (cols + Work.NEW_LINE + rows / Work.MOVED_LINES);
    }

    private static long kept(int rows, int cols) {
        return screen(rows, cols) + TerminalLimits.HISTORY_CELLS;
    }

    private static Emulator full(int rows, int cols) {
        var terminal = new Emulator(rows, cols, HISTORY_LINES);
        write(terminal, "\u001b[31m" + "y\u6f22".repeat(rows * cols / 2));
        return terminal;
    }

    private static void write(Emulator terminal, String text) {
        terminal.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
