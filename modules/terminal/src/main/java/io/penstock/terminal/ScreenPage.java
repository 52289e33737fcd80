package io.penstock.terminal;

import io.penstock.terminal.grid.SavedCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of a terminal's two screens.
 *
 * @param top the first line of the scroll region, from 0
 * @param bottom its last line
 * @param y the line of this screen's cursor, even while the other screen is shown: a resize keeps the lines above it
 * @param tabs the columns of the tab stops, null for the default ones
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

    public boolean scrollsAll() {
        return top == 0 && bottom == lines.size() - 1;
    }
}
