package io.penstock.terminal;

/**
 * The cost of a terminal's output, independent of its length: one unit for each byte parsed, including the cells of its character, and
 * one for each other cell written, erased or moved. Moving a line copies a reference; several of these count as one cell.
 */
final class Work {

    /** Allocating a line takes about as long as this many cells. */
    static final int NEW_LINE = 16;

    /** References copied in the time of one cell, which has a character and a style. */
    static final int MOVED_LINES = 8;

    /** References copied in the time of parsing the byte that moves them: they cost nothing extra. */
    static final int FREE_LINES = 64;

    private long limit = Long.MAX_VALUE;

    /** Counted down, so that the check after each run of text and each control is one comparison. */
    private long left = Long.MAX_VALUE;

    void add(long cells) {
        left -= cells;
    }

    long done() {
        return limit - left;
    }

    /** Work beyond this amount has to wait for a later turn. */
    void limit(long cells) {
        left += cells - limit;
        limit = cells;
    }

    boolean isSpent() {
        return left <= 0;
    }

    long left() {
        return left;
    }
}
