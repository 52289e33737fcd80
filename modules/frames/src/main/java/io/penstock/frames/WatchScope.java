package io.penstock.frames;

import java.util.Locale;

/** The text in which a watcher's pattern must match. */
public enum WatchScope {
    /** A line, without its end. Both {@code \n} and {@code \r} end a line, so that each redrawing of a progress bar is a line. */
    LINE,
    /** A rolling window over all output, line ends included; {@code ^} and {@code $} match at the start and end of its lines. */
    WINDOW;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
