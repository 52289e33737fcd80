package io.penstock.bench.soak;

/** A scenario needs something that this machine does not provide. */
public final class CannotRun extends Exception {
    private static final long serialVersionUID = 1L;

    CannotRun(String message) {
        super(message);
    }
}
