package io.penstock.engine.screen.terminal;

import org.jspecify.annotations.Nullable;

/**
 * Cells beside each other that look the same.
 *
 * @param text what stands there; empty where nothing was ever written, which looks like spaces and is none
 * @param cells how many; a wide character has two, a combining mark has none of its own unless no character was in front of it
 * @param style as {@link Style} has it
 * @param link where a click leads
 */
public record ScreenCells(
        String text, int cells, long style, @Nullable Link link) {

    public ScreenCells {
        if (cells < 1) {
            throw new IllegalArgumentException("Cells are one at least, not " + cells);
        }
    }

    public boolean isBlank() {
        return text.isEmpty();
    }

    /** Whether it is blank and has kept more than a background of what was to be written there. */
    boolean isStyledBlank() {
        return text.isEmpty() && (style != Style.backgroundOnly(style) || link != null);
    }

    /** Whether it is a combining mark with a cell of its own. */
    boolean isMark() {
        return !text.isEmpty() && CharWidth.of(text.codePointAt(0)) == 0;
    }
}
