package io.penstock.terminal.parser;

/** The numbers of a control sequence, as they are read; a number behind a colon belongs to the one before it. */
public final class Params {

    /** As many as xterm.js takes; further ones are ignored. */
    private static final int MAX_COUNT = 32;

    /** A missing number behind a colon. */
    static final int ABSENT = -1;

    private static final int LARGEST = 1 << 24;

    private final int[] values = new int[MAX_COUNT];
    private final boolean[] sub = new boolean[MAX_COUNT];
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
        if (count == MAX_COUNT) {
            full = true;
            return;
        }
        values[count] = colon ? ABSENT : 0;
        sub[count] = colon;
        count++;
    }

    public int count() {
        return count;
    }

    public boolean isSub(int index) {
        return index < count && sub[index];
    }

    /** The index of the next number that does not belong to this one. */
    public int after(int index) {
        int next = index + 1;
        while (isSub(next)) {
            next++;
        }
        return next;
    }

    public int at(int index) {
        return index < count ? values[index] : 0;
    }

    /** The number, or the default if none or 0 is given. */
    public int at(int index, int usual) {
        int value = at(index);
        return value <= 0 ? usual : value;
    }
}
