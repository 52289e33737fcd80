package io.penstock.terminal;

import java.util.EnumSet;
import java.util.Set;

/** The modes that are set, with those of the mouse and the cursor's shape. */
final class Modes {

    private final EnumSet<Mode> on = EnumSet.of(Mode.WRAP, Mode.CURSOR_SHOWN);
    private Mouse mouse = Mouse.NONE;
    private int mouseEncoding;
    private int cursorShape;

    boolean isSet(Mode mode) {
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

    /** 1006, 1016, or 0 for the original encoding. */
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

    /** A soft reset leaves the mouse modes unchanged. */
    void softReset() {
        setDefaults();
        cursorShape = 0;
        on.add(Mode.CURSOR_SHOWN);
    }

    void reset() {
        setDefaults();
        mouse = Mouse.NONE;
        mouseEncoding = 0;
        cursorShape = 0;
    }

    private void setDefaults() {
        for (Mode mode : Mode.values()) {
            if (!mode.survivesReset()) {
                set(mode, mode.isDefault());
            }
        }
    }
}
