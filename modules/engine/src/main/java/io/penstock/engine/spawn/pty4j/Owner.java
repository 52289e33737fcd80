package io.penstock.engine.spawn.pty4j;

import io.vertx.core.Context;
import java.util.concurrent.RejectedExecutionException;

/** The context to which a program's threads report. */
record Owner(Context context) {
    /** Drops the event once Vert.x is closed. */
    void dispatch(Runnable event) {
        try {
            context.runOnContext(here -> event.run());
        } catch (RejectedExecutionException e) {
            Thread.currentThread().interrupt(); // ends the calling thread
        }
    }
}
