package io.penstock.terminal.ansi;

import io.penstock.terminal.Link;
import io.penstock.terminal.ScreenCells;
import io.penstock.terminal.ScreenLine;
import io.penstock.terminal.grid.CharWidth;
import io.penstock.terminal.grid.Style;
import org.jspecify.annotations.Nullable;

/** The character before a column, with its marks. */
record LastCharacter(
        String text, int cells, long style, @Nullable Link link) {

    static LastCharacter before(int x, ScreenLine line) {
        int at = 0;
        for (ScreenCells run : line.cells()) {
            if (at + run.cells() >= x) {
                return in(run, x - at);
            }
            at += run.cells();
        }
        return new LastCharacter(" ", 1, Style.PLAIN, null);
    }

    private static LastCharacter in(ScreenCells run, int cells) {
        if (run.isBlank()) {
            return new LastCharacter(" ", 1, run.style(), null);
        }
        String text = run.text();
        int from = 0;
        int width = 1;
        int reached = 0;
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            int here = CharWidth.of(character);
            if (here > 0) {
                if (reached == cells) {
                    break;
                }
                from = at;
                width = here;
                reached += here;
            }
            at += Character.charCount(character);
        }
        return new LastCharacter(text.substring(from, at), width, run.style(), run.link());
    }
}
