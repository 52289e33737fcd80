package io.penstock.engine.policy;

import java.util.Locale;

/** What policy is asked about. */
public enum Operation {
    SPAWN,
    STDIN,
    RESIZE,
    SIGNAL,
    CANCEL,
    /** To answer for a person what a rule asks. */
    ANSWER;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
