package io.penstock.engine.screen;

import io.penstock.engine.screen.terminal.AnsiScreen;
import io.penstock.engine.screen.terminal.ScreenState;

/**
 * A task's screen right after one of its frames, as bytes for a terminal.
 *
 * @param seq of that frame: who is shown the screen goes on with the one behind it
 * @param whole whether all output up to there is on it, or above it
 * @param bytes what makes any terminal of this size show it, whatever it has shown before
 */
public record DrawnScreen(long seq, boolean whole, int rows, int cols, byte[] bytes) {

    /** Takes a terminal to where it was when it was new. */
    private static final byte[] RESET = {0x1b, 'c'};

    static DrawnScreen of(ScreenAt at, int historyLines) {
        ScreenState screen = at.screen().withHistory(historyLines);
        byte[] ansi = AnsiScreen.of(screen);
        byte[] bytes = new byte[RESET.length + ansi.length];
        System.arraycopy(RESET, 0, bytes, 0, RESET.length);
        System.arraycopy(ansi, 0, bytes, RESET.length, ansi.length);
        return new DrawnScreen(at.seq(), at.whole(), screen.rows(), screen.cols(), bytes);
    }
}
