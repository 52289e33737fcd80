package io.penstock.frames;

import java.util.Locale;

/** The text in which a watcher looks for its pattern. */
public enum WatchScope {
    /** One line at a time. */
    LINE,
    /** The newest output, across lines. */
    WINDOW;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
