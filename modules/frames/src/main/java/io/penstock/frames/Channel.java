package io.penstock.frames;

import java.util.Locale;

/** One of a program's outputs. */
public enum Channel {
    STDOUT,
    STDERR,
    PTY;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
