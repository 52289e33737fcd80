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

    /** The name of any signal that a program may die of, for people: {@code SEGV}, or {@code 34} where none is known. */
    public static String nameOf(int number) {
        return switch (number) {
            case 1 -> "HUP";
            case 2 -> "INT";
            case 3 -> "QUIT";
            case 4 -> "ILL";
            case 5 -> "TRAP";
            case 6 -> "ABRT";
            case 7 -> "BUS";
            case 8 -> "FPE";
            case 9 -> "KILL";
            case 10 -> "USR1";
            case 11 -> "SEGV";
            case 12 -> "USR2";
            case 13 -> "PIPE";
            case 14 -> "ALRM";
            case 15 -> "TERM";
            case 24 -> "XCPU";
            case 25 -> "XFSZ";
            case 31 -> "SYS";
            default -> Integer.toString(number);
        };
    }
}
