package io.penstock.server.ws;

import io.penstock.frames.Failure;
import org.jspecify.annotations.Nullable;

/** What a viewer said cannot be done as it stands. */
final class AskedWrongly extends Failure {
    private static final long serialVersionUID = 1L;

    private final @Nullable Long op;

    /** @param op the number that it gave it, where that can be read */
    AskedWrongly(@Nullable Long op, Failure why) {
        super(why.code(), String.valueOf(why.getMessage()), why);
        this.op = op;
    }

    @Nullable
    Long op() {
        return op;
    }
}
