package io.penstock.frames;

import java.util.Locale;

/** The final outcome of a run. */
public enum Outcome {
    /** Exit code 0. */
    SUCCEEDED,
    /** Another exit code, or death by a signal that the server did not send. */
    NONZERO,
    /** It could not be started, was refused, or its agent aborted. */
    FAILED,
    /** Stopped on request. */
    CANCELLED,
    /** Stopped because its time budget was used up. */
    TIMED_OUT,
    /** Unknown, because the server died and could not see the exit. */
    LOST;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
