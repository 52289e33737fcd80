package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.penstock.terminal.ansi.AnsiScreen;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Laws of all screens, tested with random output. */
@Tag("PURE")
final class ScreenLawTest {

    private static final int HISTORY = 20;

    @Test
    void screenWrittenToANewTerminalIsTheSame() {
        for (long seed = 0; seed < 4000; seed++) {
            var output = new RandomOutput(seed);
            var terminal = new Emulator(2 + output.number(10), 2 + output.number(22), HISTORY);
            terminal.write(output.pieces(output.number(120)));
            ScreenState state = terminal.state();
            assertSame(state, again(state), seed);
        }
    }

    @Test
    void laterOutputHasTheSameEffectOnBoth() {
        for (long seed = 0; seed < 4000; seed++) {
            var output = new RandomOutput(seed);
            int rows = 2 + output.number(10);
            int cols = 2 + output.number(22);
            var first = new Emulator(rows, cols, HISTORY);
            byte[] before = output.pieces(output.number(80));
            first.write(before, 0, before.length - (before.length == 0 ? 0 : output.number(before.length / 4 + 1)));
            var second = new Emulator(rows, cols, HISTORY);
            second.write(AnsiScreen.of(first.state()));
            byte[] next = output.pieces(10);
            first.write(next);
            second.write(next);
            assertSame(first.state(), second.state(), seed);
        }
    }

    @Test
    void splittingTheBytesChangesNothing() {
        for (long seed = 0; seed < 2000; seed++) {
            var output = new RandomOutput(seed);
            byte[] bytes = seed % 4 == 0 ? output.rubbish(300) : output.pieces(100);
            var whole = new Emulator(8, 20, HISTORY);
            whole.write(bytes);
            var cut = new Emulator(8, 20, HISTORY);
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + output.number(5));
                cut.write(Arrays.copyOfRange(bytes, at, end));
                at = end;
            }
            assertSame(whole.state(), cut.state(), seed);
        }
    }

    /** As in xterm.js; the text behind it moves a cell to the right. */
    @Test
    void markWithoutACharacterHasItsOwnCell() {
        for (String mark : new String[] {"\u0301", "\u200b", "\u200d"}) {
            var terminal = new Emulator(3, 10, HISTORY);
            terminal.write(bytes(mark + mark + "x\r\nab\u001b[1m" + mark + "c"));
            assertEquals(4, terminal.state().x());
            assertEquals(
                    "ab" + mark + "c", terminal.state().shown().lines().get(1).text());
            assertEquals(
                    mark + mark + "x", terminal.state().shown().lines().get(0).text());
            assertSame(terminal.state(), again(terminal.state()), 0);
            terminal.write(bytes("\u001b[10G" + mark + "\u001b[m" + mark + "z"));
            assertEquals("z", terminal.state().shown().lines().get(2).text());
            assertSame(terminal.state(), again(terminal.state()), 0);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ScreenState again(ScreenState state) {
        var terminal = new Emulator(state.rows(), state.cols(), HISTORY);
        terminal.write(AnsiScreen.of(state));
        return terminal.state();
    }

    private static void assertSame(ScreenState expected, ScreenState actual, long seed) {
        if (!expected.equals(actual)) {
            String wanted = expected.toString();
            String got = actual.toString();
            int at = Math.max(0, Arrays.mismatch(wanted.toCharArray(), got.toCharArray()) - 80);
            String shown = new String(AnsiScreen.of(expected), StandardCharsets.UTF_8).replace("\u001b", "\\e");
            fail("seed " + seed + ": expected ..." + part(wanted, at) + "\nbut was ..." + part(got, at) + "\nof "
                    + shown);
        }
    }

    private static String part(String text, int from) {
        return text.substring(Math.min(from, text.length()), Math.min(text.length(), from + 300));
    }
}
