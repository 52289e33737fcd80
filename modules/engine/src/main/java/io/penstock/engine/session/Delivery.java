package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A caller that waits for the end of a task, to be given its result at once. May be used from any thread. */
public final class Delivery {

    private final Promise<Boolean> done = Promise.promise();

    Delivery() {}

    /** Says once whether the caller got the result: then the end is no mailbox item, since the owner knows of it. */
    public void done(boolean delivered) {
        done.tryComplete(delivered);
    }

    Future<Boolean> future() {
        return done.future();
    }
}
