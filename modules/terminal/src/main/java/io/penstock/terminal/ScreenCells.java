package io.penstock.terminal;

import io.penstock.terminal.grid.CharWidth;
import io.penstock.terminal.grid.Style;
import org.jspecify.annotations.Nullable;

/**
 * A run of adjacent cells with the same style and link.
 *
 * @param text their text; empty for cells that were never written, which are shown as spaces
 * @param cells their number; a wide character has two, a combining mark none unless no character was in front of it
 * @param style as in {@link Style}
 * @param link their hyperlink
 */
public record ScreenCells(
        String text, int cells, long style, @Nullable Link link) {

    public ScreenCells {
        if (cells < 1) {
            throw new IllegalArgumentException("a run has at least one cell, not " + cells);
        }
    }

    public boolean isBlank() {
        return text.isEmpty();
    }

    /** Whether it is blank and has more style than a background, as half of a wide character keeps it. */
    public boolean isStyledBlank() {
        return text.isEmpty() && (style != Style.backgroundOnly(style) || link != null);
    }

    /** Whether it is a combining mark with a cell of its own. */
    public boolean isMark() {
        return !text.isEmpty() && CharWidth.of(text.codePointAt(0)) == 0;
    }
}
