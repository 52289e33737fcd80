package io.penstock.terminal.grid;

/**
 * The cost of a terminal's output, independent of its length: one unit for each byte parsed, including the cells of its character, and
 * one for each other cell written, erased or moved. Moving a line copies a reference; several of these count as one cell.
 */
public final class Work {

    /** Allocating a line takes about as long as this many cells. */
    public static final int NEW_LINE = 16;

    /** References copied in the time of one cell, which has a character and a style. */
    public static final int MOVED_LINES = 8;

    /** References copied in the time of parsing the byte that moves them: they cost nothing extra. */
    static final int FREE_LINES = 64;

    private long limit = Long.MAX_VALUE;

    /** Counted down, so that the check after each run of text and each control is one comparison. */
    private long left = Long.MAX_VALUE;

    public void add(long cells) {
        left -= cells;
    }

    public long done() {
        return limit - left;
    }

    /** Work beyond this amount has to wait for a later turn. */
    public void limit(long cells) {
        left += cells - limit;
        limit = cells;
    }

    public boolean isSpent() {
        return left <= 0;
    }

    public long left() {
        return left;
    }
}
