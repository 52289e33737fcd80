package io.penstock.engine.screen.terminal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The lines of a screen and those that have left it at the top, with a cursor, and a region that scrolls. */
final class Grid {

    private final int historyLines;
    private final ArrayDeque<Line> history = new ArrayDeque<>();
    private Line[] lines;
    private int cols;

    /** From 0; equal to the columns behind the last one, where the next character goes onto the next line. */
    int x;

    int y;

    /** The first and the last line of what scrolls. */
    int top;

    int bottom;

    SavedCursor saved = SavedCursor.HOME;

    /** @param historyLines how many that have left at the top are kept; 0 for a screen that keeps none */
    Grid(int rows, int cols, int historyLines) {
        this.historyLines = historyLines;
        this.cols = cols;
        this.lines = new Line[rows];
        for (int i = 0; i < rows; i++) {
            lines[i] = new Line();
        }
        bottom = rows - 1;
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

    Iterable<Line> history() {
        return history;
    }

    void forgetHistory() {
        history.clear();
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
    }

    void wholeRegion() {
        top = 0;
        bottom = lines.length - 1;
    }

    boolean inRegion() {
        return y >= top && y <= bottom;
    }

    /** Moves the region up by a line; a line that leaves the screen at its top is kept. */
    void scroll(long background, boolean wrapped) {
        Line gone = lines[top];
        if (top == 0 && historyLines > 0) {
            if (history.size() == historyLines) {
                history.removeFirst();
            }
            history.addLast(gone.packed());
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

    /** As xterm.js does it: lines that were too long for the old width are laid out anew, but not the one with the cursor. */
    void resize(int newRows, int newCols) {
        var all = new ArrayList<Line>(history);
        int base = all.size();
        all.addAll(List.of(lines));
        for (int row = lines.length; row < newRows; row++) {
            if (base > 0 && all.size() <= base + y + 1) {
                // One comes back from above.
                base--;
                y++;
            } else {
                all.add(new Line());
            }
        }
        for (int row = lines.length; row > newRows; row--) {
            if (all.size() > base + y + 1) {
                all.removeLast();
            } else {
                base++;
                y--;
            }
        }
        if (historyLines > 0 && newCols != cols) {
            base = reflow(all, base, newRows, newCols);
        }
        history.clear();
        all.subList(Math.max(0, base - historyLines), base).forEach(line -> history.addLast(line.packed()));
        history.forEach(line -> line.cut(newCols));
        lines = new Line[newRows];
        for (int row = 0; row < newRows; row++) {
            lines[row] = base + row < all.size() ? all.get(base + row) : new Line();
            lines[row].cut(newCols);
        }
        cols = newCols;
        x = Math.min(x, newCols - 1);
        y = Math.clamp(y, 0, newRows - 1);
        saved = saved.within(newRows, newCols);
        wholeRegion();
    }

    /** Returns how many lines are above the screen then. */
    private int reflow(ArrayList<Line> all, int base, int newRows, int newCols) {
        int cursor = base + y;
        int now = Reflow.layOut(all, cursor, cols, newCols);
        int above = base;
        for (int i = now; i < cursor; i++) {
            if (above > 0) {
                above--;
            } else if (y > 0) {
                y--;
            }
        }
        for (int i = cursor; i < now; i++) {
            if (above > 0 || y >= newRows - 1) {
                above++;
            } else {
                y++;
            }
        }
        return above;
    }
}
