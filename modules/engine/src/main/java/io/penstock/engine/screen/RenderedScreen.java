package io.penstock.engine.screen;

import io.penstock.terminal.ScreenState;
import io.penstock.terminal.ansi.AnsiScreen;

/**
 * A task's screen right after one of its frames, as bytes for a terminal.
 *
 * @param seq the number of that frame; a viewer of the screen continues with the next one
 * @param whole whether no output up to there is missing
 * @param bytes escape sequences that make any terminal of this size show it, whatever it showed before
 */
public record RenderedScreen(long seq, boolean whole, int rows, int cols, byte[] bytes) {

    /** Resets a terminal to its initial state. */
    private static final String RESET = "\u001bc";

    static RenderedScreen of(ScreenSnapshot at, int historyLines) {
        ScreenState screen = at.screen().withHistory(historyLines);
        return new RenderedScreen(at.seq(), at.whole(), screen.rows(), screen.cols(), AnsiScreen.of(RESET, screen));
    }
}
