package io.penstock.engine.screen.terminal;

import java.util.List;

/**
 * What one of a terminal's two screens has.
 *
 * @param top the first line of what scrolls, from 0
 * @param bottom the last one
 * @param y the line of the cursor, also where that is on the other screen now: what is above it stays when the size changes
 */
public record ScreenPage(List<ScreenLine> lines, int top, int bottom, int y, SavedCursor saved) {

    public ScreenPage {
        lines = List.copyOf(lines);
    }

    boolean scrollsAll() {
        return top == 0 && bottom == lines.size() - 1;
    }
}
