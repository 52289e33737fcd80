package io.penstock.frames;

import java.util.Locale;

/** Why something happened to a task. */
public enum Cause {
    /** Somebody asked for it. */
    REQUEST,
    /** The program exited by itself. */
    EXIT,
    /** A signal ended the program. */
    SIGNAL,
    /** The program could not be executed. */
    EXEC_ERROR,
    /** Policy decided. */
    POLICY,
    /** The task's time was up. */
    TIMEOUT,
    /** A budget other than time was used up. */
    BUDGET,
    /** A parent was stopped, and its descendants with it. */
    PARENT,
    /** A quota had room again, or none at all. */
    QUOTA,
    /** The terminal or the agent protocol said so. */
    PROGRAM,
    /** The server shut down in good order. */
    SHUTDOWN,
    /** The server found what a dead server had left. */
    RECOVERY;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
