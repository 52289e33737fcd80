package io.penstock.engine.log;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps that wait for each other, as those of a start do, as plain code on a virtual thread. There they may block and call
 * {@link Future#await()}, which event loops and workers must not.
 */
public final class BlockingSteps {

    private BlockingSteps() {}

    /** Completes with the result of the steps, on the caller's context if it has one. */
    public static <T extends @Nullable Object> Future<T> run(Callable<T> steps) {
        Promise<T> done = Promise.promise();
        Context caller = Vertx.currentContext();
        Thread.ofVirtual().name("steps").start(() -> {
            Future<T> result = resultOf(steps);
            if (caller == null) {
                done.handle(result);
            } else {
                caller.runOnContext(here -> done.handle(result));
            }
        });
        return done.future();
    }

    private static <T extends @Nullable Object> Future<T> resultOf(Callable<T> steps) {
        try {
            return Future.succeededFuture(steps.call());
        } catch (Throwable e) {
            return Future.failedFuture(e);
        }
    }

    /** Runs the step for each item, for at most this many at the same time. Returns after the last; the step must not throw. */
    public static <T> void forEach(List<T> items, int atOnce, Consumer<T> step) {
        var room = new Semaphore(atOnce);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (T item : items) {
                room.acquireUninterruptibly();
                threads.execute(() -> {
                    try {
                        step.accept(item);
                    } finally {
                        room.release();
                    }
                });
            }
        }
    }
}
