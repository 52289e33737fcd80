package io.penstock.terminal;

import java.util.List;

/**
 * A line of a screen, without the blank and plain cells at its end.
 *
 * @param wrapped whether it continues the line before it
 */
public record ScreenLine(boolean wrapped, List<ScreenCells> cells) {

    static final ScreenLine EMPTY = new ScreenLine(false, List.of());

    /** Of a run of cells: two colours and all attributes as text, or its objects. */
    private static final int RUN_BYTES = 64;

    public ScreenLine {
        cells = List.copyOf(cells);
    }

    /** Its number of cells, without the blank ones at its end. */
    public int length() {
        int length = 0;
        for (ScreenCells run : cells) {
            length += run.cells();
        }
        return length;
    }

    /** Approximate size as a value or as escape sequences, without hyperlinks. */
    long bytes() {
        long bytes = 0;
        for (ScreenCells run : cells) {
            bytes += RUN_BYTES + 3L * run.text().length();
        }
        return bytes;
    }

    /** Whether its last cell has text. */
    public boolean endsInText(int cols) {
        return length() == cols && !cells.getLast().isBlank();
    }

    /** Whether all its cells are blank with the same background. */
    public boolean isErased(int cols) {
        return cells.isEmpty()
                || cells.size() == 1
                        && cells.getFirst().isBlank()
                        && cells.getFirst().cells() == cols
                        && !cells.getFirst().isStyledBlank();
    }

    /** Its text, with spaces for blank cells before the end. */
    public String text() {
        var text = new StringBuilder();
        for (ScreenCells run : cells) {
            text.append(run.isBlank() ? " ".repeat(run.cells()) : run.text());
        }
        return text.toString().stripTrailing();
    }
}
