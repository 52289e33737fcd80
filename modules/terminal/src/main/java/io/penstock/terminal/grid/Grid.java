package io.penstock.terminal.grid;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedCollection;

/** The lines of a screen and its scrollback, with a cursor and a scroll region. */
public final class Grid {

    /** Of a cell: 4 for its character, 8 for its style and 4 for spare columns. */
    private static final int CELL_BYTES = 16;

    private final Work work;
    private final int maxHistoryLines;
    private final int historyCells;
    private final ArrayDeque<Line> history = new ArrayDeque<>();
    private Line[] lines;
    private int cols;
    private int historyLines;

    /** From 0; equal to {@code cols} behind the last column, where the next character goes onto the next line. */
    public int x;

    public int y;

    /** The first and the last line of the scroll region. */
    public int top;

    public int bottom;

    /** Moves with its line, even off the screen, as in xterm.js. */
    public SavedCursor saved = SavedCursor.HOME;

    public TabStops tabs;

    /**
     * @param historyLines maximum lines of scrollback; 0 for a screen without scrollback
     * @param historyCells maximum cells of scrollback, so that very wide lines are fewer
     */
    public Grid(int rows, int cols, int historyLines, int historyCells, Work work) {
        this.work = work;
        this.maxHistoryLines = historyLines;
        this.historyCells = historyCells;
        this.historyLines = historyLines(cols);
        this.cols = cols;
        this.lines = new Line[rows];
        for (int i = 0; i < rows; i++) {
            lines[i] = new Line();
        }
        bottom = rows - 1;
        tabs = TabStops.defaults(cols);
    }

    private int historyLines(int cols) {
        return Math.min(maxHistoryLines, historyCells / cols);
    }

    public int rows() {
        return lines.length;
    }

    public int cols() {
        return cols;
    }

    public Line line(int row) {
        return lines[row];
    }

    public Line line() {
        return lines[y];
    }

    /** The scrollback, oldest line first. */
    public SequencedCollection<Line> history() {
        return history;
    }

    /** @param index of a line, counted from the oldest line of the scrollback */
    public void clearWrapped(int index) {
        int onScreen = index - history.size();
        work.add(history.size());
        if (onScreen >= 0 && onScreen < lines.length) {
            lines[onScreen].wrapped(false);
        } else if (onScreen < 0) {
            history.stream().skip(index).findFirst().ifPresent(line -> line.wrapped(false));
        }
    }

    public void clearHistory() {
        int above = history.size();
        history.clear();
        moveSaved(saved.y() + above);
    }

    /** Restores the initial, empty state. */
    public void reset() {
        history.clear();
        work.add(lines.length + cols);
        for (Line line : lines) {
            line.clear(Style.PLAIN, cols);
        }
        x = 0;
        y = 0;
        resetRegion();
        saved = SavedCursor.HOME;
        tabs = TabStops.defaults(cols);
    }

    public void resetRegion() {
        top = 0;
        bottom = lines.length - 1;
    }

    public boolean scrollsAll() {
        return top == 0 && bottom == lines.length - 1;
    }

    /** The maximum number of lines of screen and scrollback. */
    public int maxLines() {
        return lines.length + historyLines;
    }

    /** Approximate maximum memory. */
    public long bytes() {
        return (long) (lines.length + history.size()) * cols * CELL_BYTES;
    }

    /** The maximum number of cells of screen and scrollback. */
    public long maxCells() {
        return (long) maxLines() * cols;
    }

    public boolean inRegion() {
        return y >= top && y <= bottom;
    }

    /** Moves the region up by a line; a line that leaves the screen at its top joins the scrollback. */
    public void scroll(long background, boolean wrapped) {
        if (top == 0 && historyLines > 0) {
            history.addLast(lines[0]);
            if (history.size() > historyLines) {
                // Reuse the oldest line.
                lines[0] = history.removeFirst();
            } else {
                lines[0] = new Line();
                work.add(Work.NEW_LINE);
                moveSaved(saved.y() - 1);
            }
        }
        shiftUp(top, background);
        lines[bottom].wrapped(wrapped);
    }

    /** Removes a line, moves up those below it and adds an empty one at the bottom of the region: the usual case in a log. */
    private void shiftUp(int from, long background) {
        Line gone = lines[from];
        int kept = bottom - from;
        System.arraycopy(lines, from + 1, lines, from, kept);
        lines[bottom] = gone;
        if (background == Style.PLAIN && kept <= Work.FREE_LINES) {
            gone.clear();
            return;
        }
        work.add(1 + kept / Work.MOVED_LINES + gone.clear(background, cols));
    }

    /** Removes lines, moves up those below them and adds as many empty ones at the bottom of the region. */
    public void shiftUp(int from, int count, long background) {
        int kept = bottom + 1 - from - count;
        Line[] gone = Arrays.copyOfRange(lines, from, from + count);
        System.arraycopy(lines, from + count, lines, from, kept);
        System.arraycopy(gone, 0, lines, from + kept, count);
        work.add(1 + kept / Work.MOVED_LINES);
        clear(from + kept, bottom + 1, background);
    }

    /** Inserts empty lines here and removes as many at the bottom of the region. */
    public void shiftDown(int from, int count, long background) {
        int kept = bottom + 1 - from - count;
        Line[] gone = Arrays.copyOfRange(lines, from + kept, bottom + 1);
        System.arraycopy(lines, from, lines, from + count, kept);
        System.arraycopy(gone, 0, lines, from, count);
        work.add(1 + kept / Work.MOVED_LINES);
        clear(from, from + count, background);
    }

    /** Clears these rows to a background. */
    public void clear(int from, int to, long background) {
        for (int row = from; row < to; row++) {
            work.add(lines[row].clear(background, cols));
        }
    }

    /** Writes the same character into every cell of these rows. */
    public void fill(int from, int to, int glyph, long style) {
        for (int row = from; row < to; row++) {
            work.add(lines[row].fill(glyph, style, cols));
        }
    }

    /** Moves the cursor back onto the screen, or into the region. */
    public void restrict(boolean toRegion, int mostX) {
        x = Math.clamp(x, 0, mostX);
        y = toRegion ? Math.clamp(y, top, bottom) : Math.clamp(y, 0, lines.length - 1);
    }

    /** Resizes as xterm.js does. */
    public void resize(int newRows, int newCols) {
        historyLines = historyLines(newCols);
        var all = new ArrayList<Line>(history);
        int before = all.size();
        all.addAll(List.of(lines));
        work.add(cells(all));
        var it = new Resizing(all, before, y, before + saved.y(), historyLines + newRows);
        it.rows(lines.length, newRows);
        if (historyLines > 0 && newCols != cols) {
            it.columns(cols, newCols, newRows);
        }
        work.add(it.reflowedCells);
        int above = it.above;
        history.clear();
        int gone = Math.max(0, above - historyLines);
        history.addAll(all.subList(gone, above));
        history.forEach(line -> line.cut(newCols));
        lines = new Line[newRows];
        for (int row = 0; row < newRows; row++) {
            lines[row] = above + row < all.size() ? all.get(above + row) : new Line();
            lines[row].cut(newCols);
        }
        cols = newCols;
        x = Math.min(x, newCols - 1);
        y = Math.clamp(it.y, 0, newRows - 1);
        saved = saved.within(newCols - 1, Integer.MAX_VALUE);
        moveSaved(Math.max(it.savedLine, gone) - above);
        tabs.resize(newCols);
        resetRegion();
    }

    private static long cells(List<Line> lines) {
        long cells = 0;
        for (Line line : lines) {
            cells += 1 + line.length();
        }
        return cells;
    }

    /** At most as far down as a cursor can be before the lines above it are erased: nothing else brings it below the screen. */
    private void moveSaved(int row) {
        saved = saved.onRow(Math.min(row, maxLines() - 1 - history.size()));
    }
}
