package io.penstock.engine.screen.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be switched on and off by a number, beside the mouse and the screen that is shown. */
public enum Mode {
    INSERT(4, false),
    NEW_LINE(20, false),
    APPLICATION_CURSOR_KEYS(1, true),
    ORIGIN(6, true),
    WRAP(7, true),
    CURSOR_SHOWN(25, true),
    REVERSE_WRAP(45, true),
    APPLICATION_KEYPAD(66, true),
    FOCUS_EVENTS(1004, true),
    BRACKETED_PASTE(2004, true),
    SYNCHRONIZED_OUTPUT(2026, true);

    private final int number;
    private final boolean isPrivate;

    Mode(int number, boolean isPrivate) {
        this.number = number;
        this.isPrivate = isPrivate;
    }

    static @Nullable Mode of(int number, boolean isPrivate) {
        for (Mode mode : values()) {
            if (mode.number == number && mode.isPrivate == isPrivate) {
                return mode;
            }
        }
        return null;
    }

    /** Whether it is on in a new terminal. */
    boolean isUsual() {
        return this == WRAP || this == CURSOR_SHOWN;
    }

    /** xterm.js leaves these as they are when it is told to reset itself. */
    boolean outlivesReset() {
        return this == NEW_LINE || this == CURSOR_SHOWN;
    }

    /** The sequence that switches it. */
    String sequence(boolean on) {
        return "\u001b[" + (isPrivate ? "?" : "") + number + (on ? "h" : "l");
    }

    /** Its name in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
