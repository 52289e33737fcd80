package io.penstock.engine.screen.terminal;

/** What the controls and sequences do to the terminal. Those that only ask something, or that nobody uses, do nothing. */
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
            case 0x09 -> Movement.tab(grid, 1);
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
        terminal.done();
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
            terminal.charsets.usual();
        }
        terminal.done();
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
        for (int row = grid.y; row < grid.rows(); row++) {
            Line line = grid.line(row);
            line.clear(Style.PLAIN, grid.cols());
            for (int x = 0; x < grid.cols(); x++) {
                line.write(x, 'E', 1, Style.unlinked(terminal.pen), 0, grid.cols());
            }
        }
        terminal.moveTo(0, 0);
    }

    @Override
    public void osc(String text, boolean whole) {
        SystemCommands.tell(terminal, text, whole);
        terminal.done();
    }

    @Override
    public void csi(int marks, int end, Params params) {
        switch (marks) {
            case 0 -> plain(end, params);
            case '?' -> asked(end, params);
            case '!' -> {
                if (end == 'p') {
                    terminal.softReset();
                }
            }
            case ' ' -> spaced(end, params);
            case '\'' -> columns(end, params);
            default -> {}
        }
        terminal.done();
    }

    private void asked(int end, Params params) {
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

    private void spaced(int end, Params params) {
        Grid grid = terminal.grid;
        if (end == 'q') {
            int shape = params.at(0);
            terminal.modes.cursorShape(shape >= 0 && shape <= 6 ? shape : 0);
        } else if ((end == '@' || end == 'A') && grid.inRegion()) {
            overRegion(0, params.at(0, 1), end == 'A');
        }
    }

    private void columns(int end, Params params) {
        Grid grid = terminal.grid;
        if ((end == '}' || end == '~') && grid.inRegion()) {
            overRegion(grid.x % grid.cols(), params.at(0, 1), end == '}');
        }
    }

    private void overRegion(int at, int count, boolean insert) {
        Grid grid = terminal.grid;
        for (int row = grid.top; row <= grid.bottom; row++) {
            Line line = grid.line(row);
            if (insert) {
                line.insert(at, count, terminal.erased(), 0, grid.cols());
            } else {
                line.delete(at, count, terminal.erased(), grid.cols());
            }
            line.wrapped(false);
        }
    }

    private void plain(int end, Params params) {
        int n = params.at(0, 1);
        switch (end) {
            case '@' -> edit().insert(terminal.grid.x, n, terminal.erased(), 0, terminal.grid.cols());
            case 'P' -> edit().delete(terminal.grid.x, n, terminal.erased(), terminal.grid.cols());
            case 'X' -> {
                Line line = edit();
                int x = terminal.grid.x;
                line.erase(x, Math.min(terminal.grid.cols(), x + n), terminal.erased(), terminal.grid.cols());
            }
            case 'J' -> Erasing.display(terminal, params.at(0));
            case 'K' -> Erasing.line(terminal, params.at(0));
            case 'L', 'M' -> lines(n, end == 'L');
            case 'S' -> scroll(n, true);
            case 'T' -> scroll(n, false);
            case 'b' -> repeat(n);
            case 'g' -> tabClear(params.at(0));
            case 'h', 'l' -> modes(params, end == 'h');
            case 'm' -> terminal.pen = Pen.changed(terminal.pen, params);
            case 'r' -> region(params);
            case 's' -> terminal.saveCursor();
            case 'u' -> terminal.restoreCursor();
            default -> Movement.move(terminal, end, n, params);
        }
    }

    private Line edit() {
        terminal.restrict();
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
        for (int i = 0; i < n; i++) {
            if (insert) {
                grid.shiftDown(grid.y, terminal.erased());
            } else {
                grid.shiftUp(grid.y, terminal.erased());
            }
        }
        grid.x = 0;
    }

    private void scroll(int wanted, boolean up) {
        Grid grid = terminal.grid;
        int n = Math.min(wanted, grid.bottom - grid.top + 1);
        for (int i = 0; i < n; i++) {
            if (up) {
                grid.shiftUp(grid.top, terminal.erased());
            } else {
                // Without the background, as xterm.js does it.
                grid.shiftDown(grid.top, Style.PLAIN);
            }
        }
    }

    private void repeat(int wanted) {
        Grid grid = terminal.grid;
        if (terminal.written() == 0) {
            return;
        }
        int at = terminal.writtenAt();
        int character = grid.line().glyph(at);
        String marks = grid.line().marks(at);
        // More than fills the screen is the same as what fills it, but for what scrolls away.
        int n = Math.min(wanted, grid.rows() * grid.cols());
        for (int i = 0; i < n; i++) {
            terminal.print(character);
            if (marks != null) {
                marks.codePoints().forEach(terminal::print);
            }
        }
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
