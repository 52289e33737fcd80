package io.penstock.engine.screen.terminal;

/** The numbers of a control sequence, as they are read; those behind a colon belong to the one before. */
final class Params {

    /** As many as xterm.js takes; what is beyond is left out. */
    private static final int MOST = 32;

    /** A number that was not given, behind a colon. */
    static final int ABSENT = -1;

    private static final int LARGEST = 1 << 24;

    private final int[] values = new int[MOST];
    private final boolean[] sub = new boolean[MOST];
    private int count;
    private boolean full;

    void clear() {
        count = 1;
        full = false;
        values[0] = 0;
        sub[0] = false;
    }

    void digit(int digit) {
        if (!full) {
            int now = Math.max(0, values[count - 1]);
            values[count - 1] = Math.min(LARGEST, now * 10 + digit);
        }
    }

    void next(boolean colon) {
        if (count == MOST) {
            full = true;
            return;
        }
        values[count] = colon ? ABSENT : 0;
        sub[count] = colon;
        count++;
    }

    int count() {
        return count;
    }

    boolean isSub(int index) {
        return index < count && sub[index];
    }

    /** Where the number behind this one and what belongs to it stands. */
    int after(int index) {
        int next = index + 1;
        while (isSub(next)) {
            next++;
        }
        return next;
    }

    int at(int index) {
        return index < count ? values[index] : 0;
    }

    /** The number, or what is usual where none or 0 is given. */
    int at(int index, int usual) {
        int value = at(index);
        return value <= 0 ? usual : value;
    }
}
