package io.penstock.terminal;

import io.penstock.terminal.grid.SavedCursor;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole state of a terminal as a value: later output has the same effect on it as on the terminal that it was taken from.
 *
 * @param history the scrollback, oldest line first
 * @param alternate the alternate screen, null unless it is shown
 * @param savedOnAlternate the cursor saved there, even while it is not shown
 * @param x of the cursor, from 0; equal to {@code cols} behind the last column, where the next character goes onto the next line
 * @param pen the style of the text that follows
 * @param link the hyperlink of the text that follows
 * @param afterCharacter whether a combining mark or a repetition would apply to the character before the cursor
 * @param mouseEncoding 1006, 1016, or 0
 * @param cursorShape as {@code CSI n SP q} sets it
 * @param charsets the sets designated as G0 to G3
 * @param charset the index of the selected one
 * @param charsetInUse the set in use, which may be a restored one that is not one of the four
 * @param pending bytes of an incomplete character or sequence, one per char
 */
public record ScreenState(
        int rows,
        int cols,
        List<ScreenLine> history,
        ScreenPage main,
        @Nullable ScreenPage alternate,
        SavedCursor savedOnAlternate,
        int x,
        int y,
        long pen,
        @Nullable Link link,
        boolean afterCharacter,
        Set<Mode> modes,
        Mouse mouse,
        int mouseEncoding,
        int cursorShape,
        String charsets,
        int charset,
        char charsetInUse,
        String title,
        String pending) {

    public ScreenState {
        history = List.copyOf(history);
        modes = Set.copyOf(modes);
    }

    /** The screen that is visible now. */
    public ScreenPage shown() {
        ScreenPage other = alternate;
        return other == null ? main : other;
    }

    /** The same state with at most this many lines of scrollback. */
    public ScreenState withHistory(int lines) {
        if (history.size() <= lines) {
            return this;
        }
        return new ScreenState(
                rows,
                cols,
                history.subList(history.size() - lines, history.size()),
                main,
                alternate,
                savedOnAlternate,
                x,
                y,
                pen,
                link,
                afterCharacter,
                modes,
                mouse,
                mouseEncoding,
                cursorShape,
                charsets,
                charset,
                charsetInUse,
                title,
                pending);
    }

    /** Approximate size as a value or as escape sequences, without hyperlinks. */
    public long bytes() {
        ScreenPage other = alternate;
        return bytes(history) + bytes(main.lines()) + (other == null ? 0 : bytes(other.lines()));
    }

    private static long bytes(List<ScreenLine> lines) {
        long bytes = 0;
        for (ScreenLine line : lines) {
            bytes += line.bytes();
        }
        return bytes;
    }

    /** The column in which the cursor is visible. */
    public int cursorColumn() {
        return Math.min(x, cols - 1);
    }

    /** The visible text: a line for each row, without blank lines at the bottom. */
    public String text() {
        var text = new StringBuilder();
        for (ScreenLine line : shown().lines()) {
            text.append(line.text()).append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }
}
