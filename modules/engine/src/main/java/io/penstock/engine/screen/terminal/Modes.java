package io.penstock.engine.screen.terminal;

import java.util.EnumSet;
import java.util.Set;

/** What is switched on, as a program leaves it. */
final class Modes {

    private final EnumSet<Mode> on = EnumSet.of(Mode.WRAP, Mode.CURSOR_SHOWN);
    private Mouse mouse = Mouse.NONE;
    private int mouseEncoding;
    private int cursorShape;

    boolean is(Mode mode) {
        return on.contains(mode);
    }

    void set(Mode mode, boolean to) {
        if (to) {
            on.add(mode);
        } else {
            on.remove(mode);
        }
    }

    Set<Mode> on() {
        return EnumSet.copyOf(on);
    }

    Mouse mouse() {
        return mouse;
    }

    void mouse(Mouse wanted) {
        mouse = wanted;
    }

    /** 1006, 1016, or 0 for the oldest. */
    int mouseEncoding() {
        return mouseEncoding;
    }

    void mouseEncoding(int mode) {
        mouseEncoding = mode;
    }

    int cursorShape() {
        return cursorShape;
    }

    void cursorShape(int shape) {
        cursorShape = shape;
    }

    /** What a soft reset leaves of them is the mouse. */
    void softReset() {
        plain();
        cursorShape = 0;
        on.add(Mode.CURSOR_SHOWN);
    }

    void reset() {
        plain();
        mouse = Mouse.NONE;
        mouseEncoding = 0;
        cursorShape = 0;
    }

    private void plain() {
        for (Mode mode : Mode.values()) {
            if (!mode.outlivesReset()) {
                set(mode, mode.isUsual());
            }
        }
    }
}
