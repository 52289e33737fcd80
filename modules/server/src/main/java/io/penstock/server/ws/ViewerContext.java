package io.penstock.server.ws;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is done for one viewer, step after step on its context. One that throws is the end of it, and it is told: left without a word,
 * it would wait for what nobody does any more.
 */
final class ViewerContext {

    private final Context context;
    private final Consumer<Throwable> failed;

    ViewerContext(Context context, Consumer<Throwable> failed) {
        this.context = context;
        this.failed = failed;
    }

    /** It cannot go on. On the context. */
    void failed(Throwable why) {
        failed.accept(why);
    }

    /** On the context already. */
    void now(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** From any thread. */
    void soon(Runnable step) {
        context.runOnContext(here -> now(step));
    }

    /** For what is called on the context whenever something happens. */
    <T> Handler<T> each(Consumer<T> step) {
        return given -> now(() -> step.accept(given));
    }

    /** However it comes out, and wherever. */
    <T extends @Nullable Object> void after(Future<T> future, Consumer<AsyncResult<T>> step) {
        future.onComplete(done -> soon(() -> step.accept(done)));
    }
}
