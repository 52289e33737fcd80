package io.penstock.server.ws.wire;

import io.penstock.frames.Failure;
import org.jspecify.annotations.Nullable;

/** What a viewer said cannot be done as it stands. */
public final class BadClientMessage extends Failure {
    private static final long serialVersionUID = 1L;

    private final @Nullable Long op;

    /** @param op the number that it gave it, where that can be read */
    BadClientMessage(@Nullable Long op, Failure why) {
        super(why.code(), String.valueOf(why.getMessage()), why);
        this.op = op;
    }

    public @Nullable Long op() {
        return op;
    }
}
