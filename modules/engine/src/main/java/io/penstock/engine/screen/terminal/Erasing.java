package io.penstock.engine.screen.terminal;

/** What is erased keeps the background that is set. */
final class Erasing {

    private Erasing() {}

    /** @param what 0 from the cursor on, 1 up to the cursor, 2 all, 3 what has left the screen */
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
                    // Meant is the line below; xterm.js counts it from the first of all lines.
                    grid.beginsAnew(grid.y + 1);
                }
                rows(terminal, 0, grid.y);
            }
            case 2 -> rows(terminal, 0, grid.rows());
            case 3 -> grid.forgetHistory();
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
        terminal.grid.restrict(terminal.modes.is(Mode.ORIGIN), terminal.grid.cols());
    }

    private static void inLine(Emulator terminal, int from, int to) {
        terminal.grid.line().erase(from, to, terminal.erased(), terminal.grid.cols());
    }

    private static void rows(Emulator terminal, int from, int to) {
        for (int row = from; row < to; row++) {
            terminal.grid.line(row).clear(terminal.erased(), terminal.grid.cols());
        }
    }
}
