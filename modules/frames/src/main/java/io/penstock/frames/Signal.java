package io.penstock.frames;

import java.util.Locale;

/** The signals that a caller may send, with their Linux numbers. */
public enum Signal {
    HUP(1),
    INT(2),
    QUIT(3),
    KILL(9),
    USR1(10),
    USR2(12),
    TERM(15),
    CONT(18),
    STOP(19),
    WINCH(28);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Reads a name with or without SIG, in any case. */
    public static Signal parse(String text) {
        String name = text.strip().toUpperCase(Locale.ROOT);
        String bare = name.startsWith("SIG") ? name.substring(3) : name;
        for (Signal signal : values()) {
            if (signal.name().equals(bare)) {
                return signal;
            }
        }
        throw new IllegalArgumentException(
                "A signal is one of HUP INT QUIT KILL USR1 USR2 TERM CONT STOP WINCH, with or" + " without SIG, not \""
                        + text + "\"");
    }
}
