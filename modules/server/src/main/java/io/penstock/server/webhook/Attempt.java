package io.penstock.server.webhook;

import org.jspecify.annotations.Nullable;

/** How an attempt to deliver an item ended. */
sealed interface Attempt {

    /** The receiver has accepted it. */
    record Accepted(int status) implements Attempt {}

    /**
     * It was not accepted.
     *
     * @param status null if there was no answer
     * @param retryAfterMs how long the receiver asks to wait; 0 if it does not
     */
    record Failed(@Nullable Integer status, String error, long retryAfterMs) implements Attempt {

        /** The receiver says that it is gone for good. */
        boolean isFinal() {
            return status != null && status == 410;
        }
    }
}
