package io.penstock.frames;

import java.util.Locale;

/** How a run ended. Final. */
public enum Outcome {
    /** Exit code 0. */
    SUCCEEDED,
    /** Another exit code, or death by a signal that nobody here sent. */
    NONZERO,
    /** It could not be started, or was refused, or its agent broke off. */
    FAILED,
    /** Stopped on request. */
    CANCELLED,
    /** Stopped because its time was up. */
    TIMED_OUT,
    /** Nobody knows: the server died, and with it who could have told. */
    LOST;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
