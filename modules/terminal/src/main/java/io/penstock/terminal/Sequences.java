package io.penstock.terminal;

import io.penstock.terminal.grid.Grid;
import io.penstock.terminal.grid.Line;
import io.penstock.terminal.grid.Style;
import io.penstock.terminal.parser.Params;
import io.penstock.terminal.parser.Parser;

/** The effects of controls and sequences on the terminal. Queries and unused sequences have none. */
final class Sequences implements Parser.Actions {

    private final Emulator terminal;

    Sequences(Emulator terminal) {
        this.terminal = terminal;
    }

    @Override
    public void print(byte[] ascii, int from, int to) {
        terminal.printAscii(ascii, from, to);
    }

    @Override
    public void print(int character) {
        terminal.print(character);
    }

    @Override
    public void control(int code) {
        Grid grid = terminal.grid;
        switch (code) {
            case 0x08 -> Movement.backspace(terminal);
            case 0x09 -> Movement.tab(terminal, 1);
            case 0x0a, 0x0b, 0x0c -> terminal.lineFeed();
            case 0x0d -> grid.x = 0;
            case 0x0e -> terminal.charsets.use(1);
            case 0x0f -> terminal.charsets.use(0);
            case 0x84 -> terminal.index();
            case 0x85 -> nextLine();
            case 0x88 -> grid.tabs.set(grid.x);
            default -> {
                return;
            }
        }
        terminal.forgetLastCharacter();
    }

    private void nextLine() {
        terminal.grid.x = 0;
        terminal.index();
    }

    @Override
    public void escape(int marks, int end) {
        if (marks == 0) {
            escape(end);
        } else if (marks >= '(' && marks <= '+') {
            terminal.charsets.designate(marks - '(', end);
        } else if (marks == '-' || marks == '.') {
            terminal.charsets.designate(marks - '-' + 1, end);
        } else if (marks == '#' && end == '8') {
            alignmentPattern();
        } else if (marks == '%' && (end == '@' || end == 'G')) {
            terminal.charsets.selectAscii();
        }
        terminal.forgetLastCharacter();
    }

    private void escape(int end) {
        switch (end) {
            case '7' -> terminal.saveCursor();
            case '8' -> terminal.restoreCursor();
            case 'D' -> terminal.index();
            case 'E' -> nextLine();
            case 'H' -> terminal.grid.tabs.set(terminal.grid.x);
            case 'M' -> terminal.reverseIndex();
            case '=' -> terminal.modes.set(Mode.APPLICATION_KEYPAD, true);
            case '>' -> terminal.modes.set(Mode.APPLICATION_KEYPAD, false);
            case 'c' -> terminal.reset();
            case 'n', '}' -> terminal.charsets.use(2);
            case 'o', '|' -> terminal.charsets.use(3);
            case '~' -> terminal.charsets.use(1);
            default -> {}
        }
    }

    private void alignmentPattern() {
        Grid grid = terminal.grid;
        terminal.moveTo(0, 0);
        grid.fill(grid.y, grid.rows(), 'E', Style.unlinked(terminal.pen));
        terminal.moveTo(0, 0);
    }

    @Override
    public void osc(String text, boolean whole) {
        SystemCommands.apply(terminal, text, whole);
        terminal.forgetLastCharacter();
    }

    @Override
    public void csi(int marks, int end, Params params) {
        switch (marks) {
            case 0 -> plainSequence(end, params);
            case '?' -> privateSequence(end, params);
            case '!' -> {
                if (end == 'p') {
                    terminal.softReset();
                }
            }
            case ' ' -> spaceSequence(end, params);
            case '\'' -> quoteSequence(end, params);
            default -> {}
        }
        terminal.forgetLastCharacter();
    }

    private void privateSequence(int end, Params params) {
        switch (end) {
            case 'h', 'l' -> {
                for (int i = 0; i < params.count(); i++) {
                    PrivateModes.set(terminal, params.at(i), end == 'h');
                }
            }
            case 'J' -> Erasing.display(terminal, params.at(0));
            case 'K' -> Erasing.line(terminal, params.at(0));
            default -> {}
        }
    }

    private void spaceSequence(int end, Params params) {
        Grid grid = terminal.grid;
        if (end == 'q') {
            int shape = params.at(0);
            terminal.modes.cursorShape(shape >= 0 && shape <= 6 ? shape : 0);
        } else if ((end == '@' || end == 'A') && grid.inRegion()) {
            shiftColumns(0, params.at(0, 1), end == 'A');
        }
    }

    private void quoteSequence(int end, Params params) {
        Grid grid = terminal.grid;
        if ((end == '}' || end == '~') && grid.inRegion()) {
            shiftColumns(grid.x % grid.cols(), params.at(0, 1), end == '}');
        }
    }

    private void shiftColumns(int at, int count, boolean insert) {
        Grid grid = terminal.grid;
        terminal.work.add((long) (grid.bottom + 1 - grid.top) * grid.cols());
        for (int row = grid.top; row <= grid.bottom; row++) {
            Line line = grid.line(row);
            if (insert) {
                line.insert(at, count, terminal.eraseStyle(), 0, grid.cols());
            } else {
                line.delete(at, count, terminal.eraseStyle(), grid.cols());
            }
            line.wrapped(false);
        }
    }

    private void plainSequence(int end, Params params) {
        int n = params.at(0, 1);
        switch (end) {
            case '@' -> edit().insert(terminal.grid.x, n, terminal.eraseStyle(), 0, terminal.grid.cols());
            case 'P' -> edit().delete(terminal.grid.x, n, terminal.eraseStyle(), terminal.grid.cols());
            case 'X' -> {
                Line line = edit();
                int x = terminal.grid.x;
                line.erase(x, Math.min(terminal.grid.cols(), x + n), terminal.eraseStyle(), terminal.grid.cols());
            }
            case 'J' -> Erasing.display(terminal, params.at(0));
            case 'K' -> Erasing.line(terminal, params.at(0));
            case 'L', 'M' -> lines(n, end == 'L');
            case 'S' -> scroll(n, true);
            case 'T' -> scroll(n, false);
            case 'b' -> repeat(n);
            case 'g' -> tabClear(params.at(0));
            case 'h', 'l' -> modes(params, end == 'h');
            case 'm' -> terminal.pen = Pen.apply(terminal.pen, params);
            case 'r' -> region(params);
            case 's' -> terminal.saveCursor();
            case 'u' -> terminal.restoreCursor();
            default -> Movement.move(terminal, end, n, params);
        }
    }

    private Line edit() {
        terminal.restrict();
        terminal.work.add(terminal.grid.cols());
        return terminal.grid.line();
    }

    private void modes(Params params, boolean on) {
        for (int i = 0; i < params.count(); i++) {
            Mode mode = Mode.of(params.at(i), false);
            if (mode != null) {
                terminal.modes.set(mode, on);
            }
        }
    }

    private void lines(int wanted, boolean insert) {
        terminal.restrict();
        Grid grid = terminal.grid;
        if (!grid.inRegion()) {
            return;
        }
        int n = Math.min(wanted, grid.bottom - grid.y + 1);
        if (insert) {
            grid.shiftDown(grid.y, n, terminal.eraseStyle());
        } else {
            grid.shiftUp(grid.y, n, terminal.eraseStyle());
        }
        grid.x = 0;
    }

    private void scroll(int wanted, boolean up) {
        Grid grid = terminal.grid;
        int n = Math.min(wanted, grid.bottom - grid.top + 1);
        if (up) {
            grid.shiftUp(grid.top, n, terminal.eraseStyle());
        } else {
            // Without the background, as in xterm.js.
            grid.shiftDown(grid.top, n, Style.PLAIN);
        }
    }

    private void repeat(int wanted) {
        Grid grid = terminal.grid;
        if (terminal.lastCells() == 0) {
            return;
        }
        int at = terminal.lastColumn();
        int character = grid.line().glyph(at);
        String marks = grid.line().marks(at);
        // Repetitions beyond a full screen change only the scrollback.
        terminal.repeat(character, marks, Math.min(wanted, grid.rows() * grid.cols()));
    }

    private void tabClear(int which) {
        if (which == 0) {
            terminal.grid.tabs.clear(terminal.grid.x);
        } else if (which == 3) {
            terminal.grid.tabs.clearAll();
        }
    }

    private void region(Params params) {
        Grid grid = terminal.grid;
        int top = params.at(0, 1);
        int bottom = params.at(1, grid.rows());
        if (bottom > grid.rows()) {
            bottom = grid.rows();
        }
        if (bottom > top) {
            grid.top = top - 1;
            grid.bottom = bottom - 1;
            terminal.moveTo(0, 0);
        }
    }
}
