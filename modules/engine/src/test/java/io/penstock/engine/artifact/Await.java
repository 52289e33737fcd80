package io.penstock.engine.artifact;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/** Waits for an answer, with a deadline. */
final class Await {
    private Await() {}

    static <T> T answer(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
