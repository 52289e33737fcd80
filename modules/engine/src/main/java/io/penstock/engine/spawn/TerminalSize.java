package io.penstock.engine.spawn;

import io.penstock.frames.Limits;

/** A terminal's rows and columns. */
public record TerminalSize(int rows, int cols) {
    public static final TerminalSize DEFAULT = new TerminalSize(24, 80);

    public TerminalSize {
        if (rows < 1 || cols < 1 || rows > Limits.TERMINAL_CELLS_PER_SIDE || cols > Limits.TERMINAL_CELLS_PER_SIDE) {
            throw new IllegalArgumentException("A terminal has 1 to " + Limits.TERMINAL_CELLS_PER_SIDE
                    + " rows and columns, not " + rows + " rows and " + cols + " columns.");
        }
    }

    public int cells() {
        return rows * cols;
    }
}
