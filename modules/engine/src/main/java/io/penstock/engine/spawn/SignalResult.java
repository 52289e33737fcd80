package io.penstock.engine.spawn;

/** The result of sending a signal. */
public enum SignalResult {
    DELIVERED,
    /** No process of the program's group is alive. */
    NO_PROCESS,
    /** The kernel does not allow it: the program runs as another user. */
    NOT_PERMITTED
}
