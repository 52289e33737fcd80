package io.penstock.server.ws.wire;

import io.penstock.frames.Failure;
import org.jspecify.annotations.Nullable;

/** A message of a client is malformed. */
public final class BadClientMessage extends Failure {
    private static final long serialVersionUID = 1L;

    private final @Nullable Long op;

    /** @param op the operation's number; null if it cannot be read */
    BadClientMessage(@Nullable Long op, Failure why) {
        super(why.code(), String.valueOf(why.getMessage()), why);
        this.op = op;
    }

    public @Nullable Long op() {
        return op;
    }
}
