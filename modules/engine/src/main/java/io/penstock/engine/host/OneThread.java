package io.penstock.engine.host;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** The context of all hosts, to which results are moved: shards and sessions answer on their own threads. */
record OneThread(Context context) {

    /** The same result, on this context. */
    <T extends @Nullable Object> Future<T> here(Future<T> elsewhere) {
        Promise<T> moved = Promise.promise();
        elsewhere.onComplete(result -> context.runOnContext(turn -> moved.handle(result)));
        return moved.future();
    }

    /** Completes after all that is due now. */
    Future<Void> nextTurn() {
        return here(Future.succeededFuture());
    }
}
