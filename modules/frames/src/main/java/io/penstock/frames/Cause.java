package io.penstock.frames;

import java.util.Locale;

/** The cause of a change of a task. */
public enum Cause {
    /** A client requested it. */
    REQUEST,
    /** The program exited by itself. */
    EXIT,
    /** A signal ended the program. */
    SIGNAL,
    /** The program could not be executed. */
    EXEC_ERROR,
    /** Policy decided it. */
    POLICY,
    /** The task's time budget was used up. */
    TIMEOUT,
    /** A budget other than time was used up. */
    BUDGET,
    /** A parent was stopped, and its descendants with it. */
    PARENT,
    /** A quota had room again, or none at all. */
    QUOTA,
    /** The terminal or the agent protocol reported it. */
    PROGRAM,
    /** The server shut down in order. */
    SHUTDOWN,
    /** The server found it left by a dead server. */
    RECOVERY;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
