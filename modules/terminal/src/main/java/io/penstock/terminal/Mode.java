package io.penstock.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The modes that a program switches by number, except those of the mouse and of the alternate screen. */
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

    /** Whether the mode is on in a new terminal. */
    public boolean isDefault() {
        return this == WRAP || this == CURSOR_SHOWN;
    }

    /** A reset of xterm.js leaves these modes unchanged. */
    public boolean survivesReset() {
        return this == NEW_LINE || this == CURSOR_SHOWN;
    }

    /** The sequence that sets or resets the mode. */
    public String sequence(boolean on) {
        return "\u001b[" + (isPrivate ? "?" : "") + number + (on ? "h" : "l");
    }

    /** Its name in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
