package io.penstock.terminal;

import io.penstock.terminal.grid.Grid;

/** The erasing sequences. Erased cells get the current background. */
final class Erasing {

    private Erasing() {}

    /** @param what 0 from the cursor on, 1 up to the cursor, 2 the screen, 3 the scrollback */
    static void display(Emulator terminal, int what) {
        Grid grid = terminal.grid;
        toEdge(terminal);
        switch (what) {
            case 0 -> {
                inLine(terminal, grid.x, grid.cols());
                if (grid.x == 0) {
                    grid.line().wrapped(false);
                }
                rows(terminal, grid.y + 1, grid.rows());
            }
            case 1 -> {
                inLine(terminal, 0, Math.min(grid.cols(), grid.x + 1));
                grid.line().wrapped(false);
                if (grid.x + 1 >= grid.cols()) {
                    // xterm.js means the line below but counts it from the first line of the scrollback.
                    grid.clearWrapped(grid.y + 1);
                }
                rows(terminal, 0, grid.y);
            }
            case 2 -> rows(terminal, 0, grid.rows());
            case 3 -> grid.clearHistory();
            default -> {}
        }
    }

    static void line(Emulator terminal, int what) {
        Grid grid = terminal.grid;
        toEdge(terminal);
        switch (what) {
            case 0 -> {
                inLine(terminal, grid.x, grid.cols());
                if (grid.x == 0) {
                    grid.line().wrapped(false);
                }
            }
            case 1 -> inLine(terminal, 0, Math.min(grid.cols(), grid.x + 1));
            case 2 -> {
                inLine(terminal, 0, grid.cols());
                grid.line().wrapped(false);
            }
            default -> {}
        }
    }

    private static void toEdge(Emulator terminal) {
        terminal.grid.restrict(terminal.modes.isSet(Mode.ORIGIN), terminal.grid.cols());
    }

    private static void inLine(Emulator terminal, int from, int to) {
        terminal.work.add(Math.max(0, to - from));
        terminal.grid.line().erase(from, to, terminal.eraseStyle(), terminal.grid.cols());
    }

    private static void rows(Emulator terminal, int from, int to) {
        terminal.grid.clear(from, to, terminal.eraseStyle());
    }
}
