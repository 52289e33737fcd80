package io.penstock.engine.screen.terminal;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns at which a tab stops. */
final class TabStops {

    private static final int USUAL = 8;

    private final BitSet columns;

    private TabStops(BitSet columns) {
        this.columns = columns;
    }

    /** Every eighth. */
    static TabStops usual(int cols) {
        var columns = new BitSet();
        for (int at = 0; at < cols; at += USUAL) {
            columns.set(at);
        }
        return new TabStops(columns);
    }

    void set(int column) {
        columns.set(column);
    }

    void clear(int column) {
        columns.clear(column);
    }

    void clearAll() {
        columns.clear();
    }

    void resize(int cols) {
        // Also where all of them had been taken away: as xterm.js has it.
        for (int at = Math.max(0, columns.previousSetBit(cols)); at < cols; at += USUAL) {
            columns.set(at);
        }
        // A cursor can set one right behind the edge, and none beyond.
        columns.clear(cols + 1, Math.max(cols + 1, columns.length()));
    }

    /** Where a tab leads from a column; at most to the last one. */
    int after(int column, int cols) {
        int next = columns.nextSetBit(column + 1);
        return next < 0 || next >= cols ? cols - 1 : next;
    }

    /** Where a tab leads back to. */
    int before(int column) {
        return Math.max(0, columns.previousSetBit(column - 1));
    }

    /** Null for the usual ones. */
    @Nullable
    List<Integer> unusual(int cols) {
        return columns.equals(usual(cols).columns)
                ? null
                : columns.stream().boxed().toList();
    }
}
