package io.penstock.engine.host;

import io.penstock.engine.address.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** The context of all hosts, to which results are moved: shards and sessions answer on their own threads. */
record OneThread(Context context) {

    /** The same result, on this context. */
    <T extends @Nullable Object> Future<T> here(Future<T> elsewhere) {
        return Contexts.on(context, elsewhere);
    }

    /** Completes after all that is due now. */
    Future<Void> nextTurn() {
        return here(Future.succeededFuture());
    }
}
