package io.penstock.engine.spawn.pty4j;

import io.vertx.core.Context;
import java.util.concurrent.RejectedExecutionException;

/** The context that a program's threads report to. */
record Owner(Context context) {
    /** Once Vert.x is closed there is nobody left to be told. */
    void tell(Runnable news) {
        try {
            context.runOnContext(here -> news.run());
        } catch (RejectedExecutionException e) {
            Thread.currentThread().interrupt(); // so the thread comes to its end
        }
    }
}
