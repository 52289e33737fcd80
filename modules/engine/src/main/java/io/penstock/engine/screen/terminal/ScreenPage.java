package io.penstock.engine.screen.terminal;

import java.util.List;

/**
 * What one of a terminal's two screens has.
 *
 * @param top the first line of what scrolls, from 0
 * @param bottom the last one
 */
public record ScreenPage(List<ScreenLine> lines, int top, int bottom, SavedCursor saved) {

    public ScreenPage {
        lines = List.copyOf(lines);
    }

    boolean scrollsAll() {
        return top == 0 && bottom == lines.size() - 1;
    }
}
