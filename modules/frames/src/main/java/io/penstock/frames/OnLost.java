package io.penstock.frames;

import java.util.Locale;

/** What follows if the server dies while a run of the task has not ended. Stored by ordinal, so constants are only appended. */
public enum OnLost {
    /** The task ends as lost. */
    END,
    /** The task is queued again as a new run. */
    REQUEUE;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
