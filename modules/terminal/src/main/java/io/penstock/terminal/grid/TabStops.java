package io.penstock.terminal.grid;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of the tab stops. */
public final class TabStops {

    private static final int INTERVAL = 8;

    private final BitSet columns;

    private TabStops(BitSet columns) {
        this.columns = columns;
    }

    /** Every eighth column. */
    static TabStops defaults(int cols) {
        var columns = new BitSet();
        for (int at = 0; at < cols; at += INTERVAL) {
            columns.set(at);
        }
        return new TabStops(columns);
    }

    public void set(int column) {
        columns.set(column);
    }

    public void clear(int column) {
        columns.clear(column);
    }

    public void clearAll() {
        columns.clear();
    }

    void resize(int cols) {
        // Even if all tab stops had been removed, as in xterm.js.
        for (int at = Math.max(0, columns.previousSetBit(cols)); at < cols; at += INTERVAL) {
            columns.set(at);
        }
        // A cursor can set a tab stop directly behind the last column, but not beyond.
        columns.clear(cols + 1, Math.max(cols + 1, columns.length()));
    }

    /** The column that a tab moves to, at most the last one. */
    public int after(int column, int cols) {
        int next = columns.nextSetBit(column + 1);
        return next < 0 || next >= cols ? cols - 1 : next;
    }

    /** The column that a back tab moves to. */
    public int before(int column) {
        return Math.max(0, columns.previousSetBit(column - 1));
    }

    /** The columns, or null for the default tab stops. */
    @Nullable
    public List<Integer> custom(int cols) {
        return columns.equals(defaults(cols).columns)
                ? null
                : columns.stream().boxed().toList();
    }
}
