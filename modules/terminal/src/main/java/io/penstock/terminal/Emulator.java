package io.penstock.terminal;

import io.penstock.terminal.grid.CharWidth;
import io.penstock.terminal.grid.Charset;
import io.penstock.terminal.grid.Charsets;
import io.penstock.terminal.grid.Grid;
import io.penstock.terminal.grid.Line;
import io.penstock.terminal.grid.SavedCursor;
import io.penstock.terminal.grid.Style;
import io.penstock.terminal.grid.Work;
import io.penstock.terminal.parser.Parser;
import io.penstock.terminal.parser.TextFlood;
import org.jspecify.annotations.Nullable;

/**
 * A terminal: takes a program's output in pieces of any size and computes what a person would see. Where terminals differ it
 * follows xterm.js, because the page uses it. It answers no queries: the viewer's terminal does. For one thread at a time.
 */
public final class Emulator {

    /** Characters of a title; a longer one is cut. */
    static final int TITLE_CHARS = 1000;

    final Work work = new Work();
    final Grid main;

    Grid grid;
    /** The cursor saved on the alternate screen, while that is not shown. */
    SavedCursor savedOnAlternate = SavedCursor.HOME;

    final Modes modes = new Modes();
    final Charsets charsets = new Charsets();
    long pen = Style.PLAIN;
    final Links links = new Links();

    /** The number of the current hyperlink, or 0. */
    int link;

    String title = "";

    /** The cells of the last character if nothing else was done since, otherwise 0. Only then can it be repeated or marked. */
    private int lastCells;

    private final Parser parser;
    private long emulated;

    /** @param historyLines maximum number of lines kept of those that have left the screen at its top */
    public Emulator(int rows, int cols, int historyLines) {
        main = new Grid(rows, cols, historyLines, TerminalLimits.HISTORY_CELLS, work);
        grid = main;
        parser = new Parser(new Sequences(this), work);
    }

    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    public void write(byte[] bytes, int from, int to) {
        write(bytes, from, to, Long.MAX_VALUE);
    }

    /** Stops once {@link #work} has reached a limit, or soon after; returns the index of the first byte that was not read. */
    public int write(byte[] bytes, int from, int to, long mostWork) {
        work.limit(mostWork);
        int at = from;
        while (at < to && !work.isSpent()) {
            int passedOver = 0;
            int end = to - at < TextFlood.MIN_BYTES ? to : at + TextFlood.MIN_BYTES;
            if (end - at == TextFlood.MIN_BYTES && parser.isInText() && grid.scrollsAll()) {
                var text = TextFlood.at(bytes, at, to);
                passedOver = (text.end() - at) / TextFlood.BYTES_PER_CELL;
                int last = text.lastLines(bytes, at, grid.maxLines(), grid.rows());
                if (last > at) {
                    // Read whole sequences even if little work is left: the text between them is not read.
                    work.limit(Long.MAX_VALUE);
                    text.readPen(bytes, at, last, parser);
                    work.limit(mostWork);
                    grid.x = 0;
                    grid.y = grid.bottom;
                    at = last;
                }
                end = Math.max(end, text.end());
            }
            int reached = parser.read(bytes, at, at + (int) Math.min(end - at, Math.max(1, work.left())));
            work.add(passedOver);
            emulated += reached - at;
            at = reached;
        }
        return at;
    }

    /** The cost so far in cells: the bytes parsed, and all cells written, erased or moved for them. */
    public long work() {
        return work.done();
    }

    /** Approximate maximum memory in bytes, without hyperlinks. */
    public long bytes() {
        return grid == main ? main.bytes() : main.bytes() + grid.bytes();
    }

    /** The number of bytes emulated, without those skipped because nothing of them would still be visible. */
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
        if (!Snapshot.isRewritable(this)) {
            forgetLastCharacter();
        }
    }

    /** The current state as a value. */
    public ScreenState state() {
        return Snapshot.of(this, parser.pending());
    }

    void forgetLastCharacter() {
        lastCells = 0;
    }

    int lastCells() {
        return lastCells;
    }

    long eraseStyle() {
        return Style.backgroundOnly(pen);
    }

    void restrict() {
        grid.restrict(modes.isSet(Mode.ORIGIN), grid.cols() - 1);
    }

    void printAscii(byte[] bytes, int from, int to) {
        char active = charsets.inUse();
        if (active != Charset.ASCII || modes.isSet(Mode.INSERT)) {
            for (int i = from; i < to; i++) {
                print(Charset.shown(active, bytes[i]));
            }
            return;
        }
        int cols = grid.cols();
        for (int at = from; at < to; ) {
            if (grid.x >= cols) {
                if (!modes.isSet(Mode.WRAP)) {
                    // All remaining characters overwrite the last cell, so only the last of them stays.
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
        lastCells = 1;
    }

    void print(int character) {
        int cells = CharWidth.of(character);
        if (cells == 0) {
            combine(character);
            return;
        }
        int cols = grid.cols();
        if (grid.x + cells > cols) {
            if (modes.isSet(Mode.WRAP) && cells <= cols) {
                // The free cell takes the character's style, except where a whole line of such could not be written as
                // sequences.
                boolean second = grid.x == 1 && grid.line().beginsWithHalf();
                grid.line().erase(grid.x, cols, second ? eraseStyle() : pen, link, cols);
                wrap();
            } else {
                grid.x = cols - 1;
                if (cells == 2) {
                    lastCells = 0;
                    return;
                }
            }
        }
        Line line = grid.line();
        int x = grid.x;
        if (modes.isSet(Mode.INSERT)) {
            line.insert(x, cells, pen, link, cols);
            work.add(cols - x);
        }
        line.write(x, character, cells, pen, link, cols);
        line.mend(x, pen, link, cols);
        line.mend(x + cells, pen, link, cols);
        grid.x = x + cells;
        lastCells = cells;
    }

    /** Prints a character with its marks several times: a line of them at once, otherwise each would move a line. */
    void repeat(int character, @Nullable String marks, int times) {
        int cells = Math.max(1, CharWidth.of(character));
        int cols = grid.cols();
        for (int left = times; left > 0; ) {
            int count = Math.min(left, (cols - grid.x) / cells);
            if (count < 1) {
                work.add(cells);
                print(character);
                if (marks != null) {
                    marks.codePoints().forEach(this::print);
                }
                if (!modes.isSet(Mode.WRAP)) {
                    // All remaining ones overwrite the last cell with the same character.
                    return;
                }
                left--;
                continue;
            }
            Line line = grid.line();
            int x = grid.x;
            int end = x + count * cells;
            if (modes.isSet(Mode.INSERT)) {
                line.insert(x, end - x, pen, link, cols);
                work.add(cols - x);
            }
            work.add(end - x);
            line.repeat(x, count, character, cells, marks, pen, link, cols);
            line.mend(x, pen, link, cols);
            line.mend(end, pen, link, cols);
            grid.x = end;
            left -= count;
        }
    }

    /** The column of the last character, if nothing else was done since. */
    int lastColumn() {
        return grid.x >= 2 && grid.line().glyph(grid.x - 1) == Line.REST ? grid.x - 2 : grid.x - 1;
    }

    /** A mark without a character in front of it, as after a cursor movement, gets a cell of its own. */
    private void combine(int character) {
        int cols = grid.cols();
        work.add(Line.MARK_CHARS);
        if (lastCells > 0 && grid.x > 0) {
            grid.line().mark(lastColumn(), character);
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
            grid.scroll(eraseStyle(), true);
        } else {
            grid.y = Math.min(grid.y + 1, grid.rows() - 1);
            grid.line().wrapped(true);
        }
    }

    void lineFeed() {
        if (modes.isSet(Mode.NEW_LINE)) {
            grid.x = 0;
        }
        if (grid.y == grid.bottom) {
            grid.scroll(eraseStyle(), false);
        } else if (grid.y < grid.rows() - 1) {
            grid.y++;
            grid.line().wrapped(false);
        }
        grid.x = Math.min(grid.x, grid.cols() - 1);
    }

    /** A line feed that never moves to the first column. */
    void index() {
        restrict();
        if (grid.y == grid.bottom) {
            grid.scroll(eraseStyle(), false);
        } else if (grid.y < grid.rows() - 1) {
            grid.y++;
        }
        restrict();
    }

    void reverseIndex() {
        restrict();
        if (grid.y == grid.top) {
            grid.shiftDown(grid.top, 1, eraseStyle());
        } else {
            grid.y--;
            restrict();
        }
    }

    void moveTo(int x, int y) {
        grid.x = x;
        grid.y = modes.isSet(Mode.ORIGIN) ? grid.top + y : y;
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

    /** The alternate screen keeps no history and is empty each time it is shown. */
    void showAlternate() {
        if (grid != main) {
            return;
        }
        var alternate = new Grid(main.rows(), main.cols(), 0, 0, work);
        work.add((long) Work.NEW_LINE * main.rows());
        alternate.saved = savedOnAlternate;
        alternate.x = main.x;
        alternate.y = main.y;
        alternate.clear(0, alternate.rows(), eraseStyle());
        grid = alternate;
        charsets.switchScreen(alternate.saved.charset());
    }

    void showMain() {
        if (grid != main) {
            main.x = grid.x;
            main.y = grid.y;
            savedOnAlternate = grid.saved;
            grid = main;
        }
    }

    /** Sets the hyperlink of the text that follows, or none. */
    void link(@Nullable Link to) {
        link = to == null ? 0 : links.number(to, this);
        pen = link == 0 ? Style.unlinked(pen) : pen | Style.LINKED;
    }

    void softReset() {
        modes.softReset();
        grid.resetRegion();
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
