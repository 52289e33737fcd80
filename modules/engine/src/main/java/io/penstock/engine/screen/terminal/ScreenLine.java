package io.penstock.engine.screen.terminal;

import java.util.List;

/**
 * A line of a screen, without what is blank and plain at its end.
 *
 * @param wrapped whether it goes on with the line before, which was too short
 */
public record ScreenLine(boolean wrapped, List<ScreenCells> cells) {

    static final ScreenLine EMPTY = new ScreenLine(false, List.of());

    /** Of a run of cells: two colours and all attributes in full, or its objects. */
    private static final int RUN_BYTES = 64;

    public ScreenLine {
        cells = List.copyOf(cells);
    }

    /** How many cells it has, without those at its end. */
    int length() {
        int length = 0;
        for (ScreenCells run : cells) {
            length += run.cells();
        }
        return length;
    }

    /** About what it takes as a value, or as bytes for a terminal, without hyperlinks. */
    long bytes() {
        long bytes = 0;
        for (ScreenCells run : cells) {
            bytes += RUN_BYTES + 3L * run.text().length();
        }
        return bytes;
    }

    /** Whether text stands in its last cell. */
    boolean endsInText(int cols) {
        return length() == cols && !cells.getLast().isBlank();
    }

    /** Whether nothing is in it but one background. */
    boolean isErased(int cols) {
        return cells.isEmpty()
                || cells.size() == 1
                        && cells.getFirst().isBlank()
                        && cells.getFirst().cells() == cols
                        && !cells.getFirst().isStyledBlank();
    }

    /** As a person reads it; what is blank in the middle is spaces. */
    public String text() {
        var text = new StringBuilder();
        for (ScreenCells run : cells) {
            text.append(run.isBlank() ? " ".repeat(run.cells()) : run.text());
        }
        return text.toString().stripTrailing();
    }
}
