package io.penstock.engine.screen.terminal;

import org.jspecify.annotations.Nullable;

/**
 * A terminal: takes what a program writes, in pieces of any size, and knows what a person would see. As xterm.js does where
 * terminals differ, since that is what people look through. It answers nothing: who is asked is the viewer's terminal. For one
 * thread at a time.
 */
public final class Emulator {

    /** Characters of a title; what is longer is cut. */
    static final int TITLE_CHARS = 1000;

    final Grid main;

    Grid grid;
    /** What was saved on the other screen, while that is not shown. */
    SavedCursor savedOnAlternate = SavedCursor.HOME;

    final Modes modes = new Modes();
    final Charsets charsets = new Charsets();
    long pen = Style.PLAIN;
    final Links links = new Links();

    /** The number of the hyperlink that is written, or 0. */
    int link;

    String title = "";

    /** How many cells the character has that was written, if that was the last thing done; else 0. It can be repeated, and have marks. */
    private int written;

    private final Parser parser;
    private long emulated;

    /** @param historyLines that have left the screen at its top, of which so many are kept */
    public Emulator(int rows, int cols, int historyLines) {
        main = new Grid(rows, cols, historyLines);
        grid = main;
        parser = new Parser(new Sequences(this));
    }

    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    public void write(byte[] bytes, int from, int to) {
        for (int at = from; at < to; ) {
            int end = to - at < TextFlood.WORTH_BYTES ? to : at + TextFlood.WORTH_BYTES;
            if (end - at == TextFlood.WORTH_BYTES && parser.isInText() && grid.scrollsAll()) {
                var text = TextFlood.at(bytes, at, to);
                int last = text.lastLines(bytes, at, grid.keptLines(), grid.rows());
                if (last > at) {
                    text.readPen(bytes, at, last, parser);
                    grid.x = 0;
                    grid.y = grid.bottom;
                    at = last;
                }
                end = Math.max(end, text.end());
            }
            parser.read(bytes, at, end);
            emulated += end - at;
            at = end;
        }
    }

    /** How many bytes it has emulated, without those that it has passed over since nothing of them is left to be seen. */
    public long emulated() {
        return emulated;
    }

    public void resize(int rows, int cols) {
        if (rows == grid.rows() && cols == grid.cols()) {
            return;
        }
        main.resize(rows, cols);
        if (grid == main) {
            savedOnAlternate = savedOnAlternate.within(cols, rows - 1);
        } else {
            grid.resize(rows, cols);
        }
        if (!Snapshot.canBeWrittenAgain(this)) {
            done();
        }
    }

    /** What it shows now, as a value. */
    public ScreenState state() {
        return Snapshot.of(this, parser.pending());
    }

    void done() {
        written = 0;
    }

    int written() {
        return written;
    }

    long erased() {
        return Style.backgroundOnly(pen);
    }

    void restrict() {
        grid.restrict(modes.is(Mode.ORIGIN), grid.cols() - 1);
    }

    void printAscii(byte[] bytes, int from, int to) {
        char active = charsets.inUse();
        if (active != Charset.ASCII || modes.is(Mode.INSERT)) {
            for (int i = from; i < to; i++) {
                print(Charset.shown(active, bytes[i]));
            }
            return;
        }
        int cols = grid.cols();
        for (int at = from; at < to; ) {
            if (grid.x >= cols) {
                if (!modes.is(Mode.WRAP)) {
                    // All that follows goes over the last cell, so only the last one of it stays.
                    grid.x = cols - 1;
                    at = to - 1;
                } else {
                    wrap();
                }
            }
            int count = Math.min(to - at, cols - grid.x);
            Line line = grid.line();
            int x = grid.x;
            line.write(x, bytes, at, count, pen, link, cols);
            line.mend(x, pen, link, cols);
            line.mend(x + count, pen, link, cols);
            grid.x = x + count;
            at += count;
        }
        written = 1;
    }

    void print(int character) {
        int cells = CharWidth.of(character);
        if (cells == 0) {
            combine(character);
            return;
        }
        int cols = grid.cols();
        if (grid.x + cells > cols) {
            if (modes.is(Mode.WRAP) && cells <= cols) {
                // The cell that is left free looks like the character; a whole line of such could not be written down.
                boolean second = grid.x == 1 && grid.line().beginsWithHalf();
                grid.line().erase(grid.x, cols, second ? erased() : pen, link, cols);
                wrap();
            } else {
                grid.x = cols - 1;
                if (cells == 2) {
                    written = 0;
                    return;
                }
            }
        }
        Line line = grid.line();
        int x = grid.x;
        if (modes.is(Mode.INSERT)) {
            line.insert(x, cells, pen, link, cols);
        }
        line.write(x, character, cells, pen, link, cols);
        line.mend(x, pen, link, cols);
        line.mend(x + cells, pen, link, cols);
        grid.x = x + cells;
        written = cells;
    }

    /** Where the last character is that was written, if nothing else was done since. */
    int writtenAt() {
        return grid.x >= 2 && grid.line().glyph(grid.x - 1) == Line.REST ? grid.x - 2 : grid.x - 1;
    }

    /** A mark that has no character in front of it, as after a movement, has a cell of its own. */
    private void combine(int character) {
        int cols = grid.cols();
        if (written > 0 && grid.x > 0) {
            grid.line().mark(writtenAt(), character);
        } else if (grid.x < cols) {
            Line line = grid.line();
            int x = grid.x++;
            line.write(x, character, 1, pen, link, cols);
            line.mend(x, pen, link, cols);
            line.mend(x + 1, pen, link, cols);
        }
    }

    private void wrap() {
        grid.x = 0;
        if (grid.y == grid.bottom) {
            grid.scroll(erased(), true);
        } else {
            grid.y = Math.min(grid.y + 1, grid.rows() - 1);
            grid.line().wrapped(true);
        }
    }

    void lineFeed() {
        if (modes.is(Mode.NEW_LINE)) {
            grid.x = 0;
        }
        if (grid.y == grid.bottom) {
            grid.scroll(erased(), false);
        } else if (grid.y < grid.rows() - 1) {
            grid.y++;
            grid.line().wrapped(false);
        }
        grid.x = Math.min(grid.x, grid.cols() - 1);
    }

    /** Without the move to the first column that a line feed may have. */
    void index() {
        restrict();
        if (grid.y == grid.bottom) {
            grid.scroll(erased(), false);
        } else if (grid.y < grid.rows() - 1) {
            grid.y++;
        }
        restrict();
    }

    void reverseIndex() {
        restrict();
        if (grid.y == grid.top) {
            grid.shiftDown(grid.top, erased());
        } else {
            grid.y--;
            restrict();
        }
    }

    void moveTo(int x, int y) {
        grid.x = x;
        grid.y = modes.is(Mode.ORIGIN) ? grid.top + y : y;
        restrict();
    }

    void saveCursor() {
        grid.saved = new SavedCursor(grid.x, grid.y, pen, charsets.inUse());
    }

    void restoreCursor() {
        SavedCursor saved = grid.saved;
        grid.x = saved.x();
        grid.y = Math.max(0, saved.y());
        pen = Style.restored(saved.style(), pen);
        link = pen < 0 ? link : 0;
        charsets.restore(saved.charset());
        restrict();
    }

    /** The other screen keeps no history, and is empty each time it is shown. */
    void showAlternate() {
        if (grid != main) {
            return;
        }
        var alternate = new Grid(main.rows(), main.cols(), 0);
        alternate.saved = savedOnAlternate;
        alternate.x = main.x;
        alternate.y = main.y;
        long erased = erased();
        for (int row = 0; row < alternate.rows(); row++) {
            alternate.line(row).clear(erased, alternate.cols());
        }
        grid = alternate;
        charsets.keep(alternate.saved.charset());
    }

    void showMain() {
        if (grid != main) {
            main.x = grid.x;
            main.y = grid.y;
            savedOnAlternate = grid.saved;
            grid = main;
        }
    }

    /** What is written next belongs to this hyperlink, or to none. */
    void link(@Nullable Link to) {
        link = to == null ? 0 : links.number(to, this);
        pen = link == 0 ? Style.unlinked(pen) : pen | Style.LINKED;
    }

    void softReset() {
        modes.softReset();
        grid.wholeRegion();
        pen = Style.PLAIN;
        link = 0;
        charsets.reset();
        grid.saved = SavedCursor.HOME;
    }

    void reset() {
        grid = main;
        main.reset();
        savedOnAlternate = SavedCursor.HOME;
        modes.reset();
        pen = Style.PLAIN;
        link = 0;
        charsets.reset();
    }
}
