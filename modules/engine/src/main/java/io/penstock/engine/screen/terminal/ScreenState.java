package io.penstock.engine.screen.terminal;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a terminal shows and has been told, as a value: what is written to it next has the same effect as on the one that it
 * was taken from.
 *
 * @param history lines that have left the screen at its top, the oldest first
 * @param alternate the second screen, where it is shown
 * @param savedOnAlternate what was saved there, also while it is not shown
 * @param x of the cursor, from 0; equal to {@code cols} behind the last column, where the next character goes onto the next line
 * @param pen how what is written next will look
 * @param link the hyperlink that it belongs to
 * @param afterCharacter whether a combining mark, or a repetition, belongs to the character before the cursor
 * @param mouseEncoding 1006, 1016, or 0
 * @param cursorShape as {@code CSI n SP q} sets it
 * @param charsets which characters are meant by G0 to G3
 * @param charset which of these was chosen
 * @param charsetInUse what is in use, which may be another that was restored
 * @param pending bytes of a character or sequence that is not over, one per char
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

    /** What is seen now. */
    public ScreenPage shown() {
        ScreenPage other = alternate;
        return other == null ? main : other;
    }

    /** The same with no more than so many lines above the screen. */
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

    /** About what it takes as a value, or as bytes for a terminal, without hyperlinks. */
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

    /** The column that the cursor is seen in. */
    public int cursorColumn() {
        return Math.min(x, cols - 1);
    }

    /** What a person reads on the screen: a line for each row, without what is blank below. */
    public String text() {
        var text = new StringBuilder();
        for (ScreenLine line : shown().lines()) {
            text.append(line.text()).append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }
}
