package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A caller that waits for the end of a task, to be given its result at once. May be used from any thread. */
public final class Delivery {

    private static final int NONE = 0;

    private final Promise<Integer> run = Promise.promise();

    Delivery() {}

    /** The caller got the result of this run: then its end is no mailbox item, since the owner knows of it. */
    public void delivered(int number) {
        run.tryComplete(number);
    }

    /** The caller got no result. */
    public void missed() {
        run.tryComplete(NONE);
    }

    /** Whether the caller gets the result of this run. */
    Future<Boolean> of(int number) {
        return run.future().map(delivered -> delivered == number);
    }

    Future<Boolean> any() {
        return run.future().map(delivered -> delivered != NONE);
    }
}
