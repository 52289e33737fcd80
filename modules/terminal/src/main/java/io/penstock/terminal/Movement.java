package io.penstock.terminal;

import io.penstock.terminal.grid.Grid;
import io.penstock.terminal.grid.Line;
import io.penstock.terminal.parser.Params;

/** The sequences that only move the cursor. */
final class Movement {

    private Movement() {}

    /** @param n the first parameter, at least 1 */
    static void move(Emulator terminal, int end, int n, Params params) {
        Grid grid = terminal.grid;
        switch (end) {
            case 'A' -> up(terminal, n);
            case 'B' -> down(terminal, n);
            case 'C', 'a' -> by(terminal, n, 0);
            case 'D' -> by(terminal, -n, 0);
            case 'E' -> {
                down(terminal, n);
                grid.x = 0;
            }
            case 'F' -> {
                up(terminal, n);
                grid.x = 0;
            }
            case 'G', '`' -> at(terminal, n - 1, grid.y);
            case 'H', 'f' -> terminal.moveTo(params.at(1, 1) - 1, n - 1);
            case 'I' -> tab(terminal, n);
            case 'Z' -> backTab(terminal, n);
            case 'd' -> terminal.moveTo(grid.x, n - 1);
            case 'e' -> by(terminal, 0, n);
            default -> {}
        }
    }

    /** A cursor below the top of the region stays in the region. */
    private static void up(Emulator terminal, int n) {
        Grid grid = terminal.grid;
        by(terminal, 0, -(grid.y >= grid.top ? Math.min(n, grid.y - grid.top) : n));
    }

    private static void down(Emulator terminal, int n) {
        Grid grid = terminal.grid;
        by(terminal, 0, grid.y <= grid.bottom ? Math.min(n, grid.bottom - grid.y) : n);
    }

    private static void by(Emulator terminal, int right, int below) {
        terminal.restrict();
        at(terminal, terminal.grid.x + right, terminal.grid.y + below);
    }

    /** In origin mode the row counts from the top of the region, even where it was not to change: as in xterm.js. */
    private static void at(Emulator terminal, int x, int y) {
        terminal.moveTo(x, y);
    }

    static void tab(Emulator terminal, int times) {
        Grid grid = terminal.grid;
        for (int i = 0; i < times && grid.x < grid.cols() - 1; i++) {
            grid.x = grid.tabs.after(grid.x, grid.cols());
            terminal.work.add(1);
        }
    }

    private static void backTab(Emulator terminal, int times) {
        Grid grid = terminal.grid;
        for (int i = 0; i < times && grid.x > 0 && grid.x < grid.cols(); i++) {
            grid.x = grid.tabs.before(grid.x);
            terminal.work.add(1);
        }
    }

    static void backspace(Emulator terminal) {
        Grid grid = terminal.grid;
        boolean reverse = terminal.modes.isSet(Mode.REVERSE_WRAP);
        grid.restrict(terminal.modes.isSet(Mode.ORIGIN), reverse ? grid.cols() : grid.cols() - 1);
        if (grid.x > 0) {
            grid.x--;
        } else if (reverse
                && grid.y > grid.top
                && grid.y <= grid.bottom
                && grid.line().isWrapped()) {
            grid.line().wrapped(false);
            grid.y--;
            grid.x = grid.cols() - 1;
            if (grid.line().glyph(grid.x) == Line.BLANK) {
                grid.x--;
            }
        }
        terminal.restrict();
    }
}
