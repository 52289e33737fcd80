package io.penstock.bench.soak;

import org.jspecify.annotations.Nullable;

/** The log broke a promise, or the soak could not continue; the message says which and where. */
public final class SoakFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SoakFailure(String message) {
        super(message);
    }

    public SoakFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
