package io.penstock.server.ws;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks of one viewer on its Vert.x context. If one throws, the viewer is disconnected, since it would otherwise
 * wait for work that was abandoned.
 */
final class ViewerContext {

    private final Context context;
    private final Consumer<Throwable> failed;

    ViewerContext(Context context, Consumer<Throwable> failed) {
        this.context = context;
        this.failed = failed;
    }

    /** Runs a callback now; the caller is on the context. */
    void now(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** Runs a callback later on the context. May be called from any thread. */
    void soon(Runnable callback) {
        context.runOnContext(here -> now(callback));
    }

    /** A handler of events that occur on the context. */
    <T> Handler<T> each(Consumer<T> handler) {
        return event -> now(() -> handler.accept(event));
    }

    /** Runs a callback on the context when a future has completed, on any thread, with success or failure. */
    <T extends @Nullable Object> void after(Future<T> future, Consumer<AsyncResult<T>> callback) {
        future.onComplete(done -> soon(() -> callback.accept(done)));
    }
}
