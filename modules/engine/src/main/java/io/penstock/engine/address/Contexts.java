package io.penstock.engine.address;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** Moves results to the context that waits for them. */
public final class Contexts {

    private Contexts() {}

    /** The same result, on this context. */
    public static <T extends @Nullable Object> Future<T> on(Context context, Future<T> elsewhere) {
        Promise<T> moved = Promise.promise();
        elsewhere.onComplete(result -> context.runOnContext(turn -> moved.handle(result)));
        return moved.future();
    }

    /** The same result, on the caller's context if it has one. */
    public static <T extends @Nullable Object> Future<T> onCallers(Future<T> elsewhere) {
        Context caller = Vertx.currentContext();
        return caller == null ? elsewhere : on(caller, elsewhere);
    }
}
