package io.penstock.terminal;

/** The mouse events that a program asks for. */
public enum Mouse {
    NONE(0),
    PRESSES_ONLY(9),
    PRESSES(1000),
    DRAGS(1002),
    MOVES(1003);

    private final int mode;

    Mouse(int mode) {
        this.mode = mode;
    }

    /** The number of the mode that asks for these events. */
    public int mode() {
        return mode;
    }

    static Mouse of(int mode) {
        for (Mouse mouse : values()) {
            if (mouse.mode == mode) {
                return mouse;
            }
        }
        throw new IllegalArgumentException("not a mode of the mouse: " + mode);
    }
}
