package io.penstock.engine.spawn;

/** What became of a signal. */
public enum SignalAnswer {
    DELIVERED,
    /** Nobody of the program's process group is alive any more. */
    NOBODY_THERE,
    /** The kernel does not allow it: the program runs as another user. */
    NOT_PERMITTED
}
