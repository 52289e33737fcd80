package io.penstock.engine.screen.terminal;

import io.penstock.frames.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedCollection;

/** The lines of a screen and those that have left it at the top, with a cursor, and a region that scrolls. */
final class Grid {

    private final int mostHistoryLines;
    private final ArrayDeque<Line> history = new ArrayDeque<>();
    private Line[] lines;
    private int cols;
    private int historyLines;

    /** From 0; equal to the columns behind the last one, where the next character goes onto the next line. */
    int x;

    int y;

    /** The first and the last line of what scrolls. */
    int top;

    int bottom;

    /** It moves with its line, also beyond the screen, as in xterm.js. */
    SavedCursor saved = SavedCursor.HOME;

    TabStops tabs;

    /** @param historyLines how many that have left at the top are kept, unless they are very wide; 0 for a screen that keeps none */
    Grid(int rows, int cols, int historyLines) {
        this.mostHistoryLines = historyLines;
        this.historyLines = historyLines(cols);
        this.cols = cols;
        this.lines = new Line[rows];
        for (int i = 0; i < rows; i++) {
            lines[i] = new Line();
        }
        bottom = rows - 1;
        tabs = TabStops.usual(cols);
    }

    private int historyLines(int cols) {
        return Math.min(mostHistoryLines, Limits.SCREEN_HISTORY_CELLS / cols);
    }

    int rows() {
        return lines.length;
    }

    int cols() {
        return cols;
    }

    Line line(int row) {
        return lines[row];
    }

    Line line() {
        return lines[y];
    }

    /** The oldest first. */
    SequencedCollection<Line> history() {
        return history;
    }

    /** @param index of a line, counted from the oldest that is kept */
    void beginsAnew(int index) {
        int onScreen = index - history.size();
        if (onScreen >= 0 && onScreen < lines.length) {
            lines[onScreen].wrapped(false);
        } else if (onScreen < 0) {
            history.stream().skip(index).findFirst().ifPresent(line -> line.wrapped(false));
        }
    }

    void forgetHistory() {
        int above = history.size();
        history.clear();
        moveSaved(saved.y() + above);
    }

    /** Empty again, as at its beginning. */
    void reset() {
        history.clear();
        for (Line line : lines) {
            line.clear(Style.PLAIN, cols);
        }
        x = 0;
        y = 0;
        wholeRegion();
        saved = SavedCursor.HOME;
        tabs = TabStops.usual(cols);
    }

    void wholeRegion() {
        top = 0;
        bottom = lines.length - 1;
    }

    boolean scrollsAll() {
        return top == 0 && bottom == lines.length - 1;
    }

    /** On the screen and above it, at most. */
    int keptLines() {
        return lines.length + historyLines;
    }

    boolean inRegion() {
        return y >= top && y <= bottom;
    }

    /** Moves the region up by a line; a line that leaves the screen at its top is kept. */
    void scroll(long background, boolean wrapped) {
        if (top == 0 && historyLines > 0) {
            history.addLast(lines[0]);
            if (history.size() > historyLines) {
                // The oldest is written to anew.
                lines[0] = history.removeFirst();
            } else {
                lines[0] = new Line();
                moveSaved(saved.y() - 1);
            }
        }
        shiftUp(top, background);
        lines[bottom].wrapped(wrapped);
    }

    /** The line goes, those below it move up, and a new one comes in at the bottom of the region. */
    void shiftUp(int from, long background) {
        Line gone = lines[from];
        System.arraycopy(lines, from + 1, lines, from, bottom - from);
        gone.clear(background, cols);
        lines[bottom] = gone;
    }

    /** A new line comes in here, and the last one of the region goes. */
    void shiftDown(int from, long background) {
        Line gone = lines[bottom];
        System.arraycopy(lines, from, lines, from + 1, bottom - from);
        gone.clear(background, cols);
        lines[from] = gone;
    }

    /** Keeps the cursor on the screen, or in the region, where that is all that there is. */
    void restrict(boolean toRegion, int mostX) {
        x = Math.clamp(x, 0, mostX);
        y = toRegion ? Math.clamp(y, top, bottom) : Math.clamp(y, 0, lines.length - 1);
    }

    /** As xterm.js does it. */
    void resize(int newRows, int newCols) {
        historyLines = historyLines(newCols);
        var all = new ArrayList<Line>(history);
        int before = all.size();
        all.addAll(List.of(lines));
        var it = new Resizing(all, before, y, before + saved.y(), historyLines + newRows);
        it.rows(lines.length, newRows);
        if (historyLines > 0 && newCols != cols) {
            it.columns(cols, newCols, newRows);
        }
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
        wholeRegion();
    }

    /** Not farther below than a cursor can be before what is above it is erased: there is no other way to bring it there. */
    private void moveSaved(int row) {
        saved = saved.onRow(Math.min(row, keptLines() - 1 - history.size()));
    }
}
