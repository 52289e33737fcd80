package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.terminal.ansi.AnsiScreen;
import io.penstock.terminal.grid.Style;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A late joiner also gets the invisible state of a screen, so that later output has the same effect for all viewers. */
final class HiddenStateTest {

    private static final int HISTORY = 20;
    private static final String SAVE = "\u001b7";
    private static final String RESTORE = "\u001b8";

    private final Emulator watched = new Emulator(4, 10, HISTORY);
    private Emulator joined = watched;

    @Test
    void savedCursorReturnsWithItsLine() {
        watched.write(bytes("1\r\n2\r\n3 " + SAVE + "\r\n4\r\n5\r\n6\r\n7\r\n8"));
        join();
        resize(7, 10);
        write(RESTORE + "x");
        assertEquals("3 x", joined.state().shown().lines().get(1).text());
    }

    @Test
    void savedCursorBelowTheScreenReturnsOnScroll() {
        watched.write(bytes("1\r\n2\r\n3\r\n4\r\n5\r\n6" + SAVE + "\u001b[3J\u001b[H"));
        join();
        write("\u001b[4;1H\n\n\n" + RESTORE + "x");
        assertEquals(" x", joined.state().shown().lines().get(2).text());
    }

    @Test
    void cursorIsSavedBehindTheLastColumn() {
        watched.write(bytes("0123456789" + SAVE + "\r\n"));
        join();
        write(RESTORE + "x\r\n");
        resize(4, 12);
        write(RESTORE + "y");
        assertEquals("012345678xy", joined.state().shown().lines().get(0).text());
    }

    @Test
    void alternateScreenKeepsItsSavedCursorWhileHidden() {
        watched.write(bytes("\u001b[?1047h\u001b[3;5H\u001b[1m" + SAVE + "\u001b[?1047l"));
        join();
        write("\u001b[?1047h" + RESTORE + "x");
        assertEquals("    x", joined.state().shown().lines().get(2).text());
    }

    @Test
    void eachScreenHasItsTabStops() {
        watched.write(bytes("\u001b[3g\u001b[4G\u001bH\r\u001b[?1049h"));
        join();
        write("\tx\u001b[?1049l\r\ty");
        assertEquals("   y", joined.state().shown().lines().get(0).text());
    }

    @Test
    void charsetIsRestoredWithoutBeingDesignated() {
        watched.write(bytes("\u001b(0" + SAVE + "\u001b(B" + RESTORE));
        join();
        write("q\u000e\u000fq");
        assertEquals("─q", joined.state().shown().lines().get(0).text());
    }

    @Test
    void halfOfAWideCharacterKeepsItsStyle() {
        watched.write(bytes("\u001b[7m漢\u001b[2Gx\u001b[5G漢\u001b[6Gx\u001b[9G漢\u001b[9G "));
        join();
        ScreenCells left = joined.state().shown().lines().get(0).cells().getFirst();
        assertEquals("", left.text());
        assertNotEquals(Style.PLAIN, left.style());
        write("\u001b[3G\u001b[P");
    }

    @Test
    void lineStaysWrappedAfterItsStartIsDropped() {
        watched.write(bytes("longer than ten\r\n" + "\r\n".repeat(2 + HISTORY)));
        join();
        resize(4, 12);
        assertEquals("n ten", joined.state().history().getFirst().text());
    }

    private void join() {
        ScreenState state = watched.state();
        joined = new Emulator(state.rows(), state.cols(), HISTORY);
        joined.write(AnsiScreen.of(state));
        assertEquals(state, joined.state());
    }

    private void write(String text) {
        watched.write(bytes(text));
        joined.write(bytes(text));
        assertEquals(watched.state(), joined.state());
    }

    private void resize(int rows, int cols) {
        watched.resize(rows, cols);
        joined.resize(rows, cols);
        assertEquals(watched.state(), joined.state());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
