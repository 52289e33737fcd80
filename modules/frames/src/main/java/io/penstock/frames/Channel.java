package io.penstock.frames;

import java.util.Locale;

/** One of a program's outputs. */
public enum Channel {
    STDOUT,
    STDERR,
    PTY;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
