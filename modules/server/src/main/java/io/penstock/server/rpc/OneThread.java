package io.penstock.server.rpc;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** The edge's context, to which the results of the engine are moved: shards and sessions answer on their own threads. */
record OneThread(Context context) {

    /** The same result, on the edge's context. */
    <T extends @Nullable Object> Future<T> here(Future<T> engines) {
        Promise<T> moved = Promise.promise();
        engines.onComplete(result -> context.runOnContext(turn -> moved.handle(result)));
        return moved.future();
    }
}
