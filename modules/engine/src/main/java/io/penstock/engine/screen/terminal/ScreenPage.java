package io.penstock.engine.screen.terminal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one of a terminal's two screens has.
 *
 * @param top the first line of what scrolls, from 0
 * @param bottom the last one
 * @param y the line of the cursor, also where that is on the other screen now: what is above it stays when the size changes
 * @param tabs the columns of the tab stops, where they are not the usual ones
 */
public record ScreenPage(
        List<ScreenLine> lines,
        int top,
        int bottom,
        int y,
        SavedCursor saved,
        @Nullable List<Integer> tabs) {

    public ScreenPage {
        lines = List.copyOf(lines);
        tabs = tabs == null ? null : List.copyOf(tabs);
    }

    boolean scrollsAll() {
        return top == 0 && bottom == lines.size() - 1;
    }
}
