package io.penstock.testbed;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for an answer, with a deadline. */
public final class Await {

    private static final long PATIENCE_SECONDS = 60;

    private Await() {}

    /** Waits for the end; fails as the future does. */
    public static void finished(Future<?> future) {
        await(future);
    }

    /** The result, or the failure as it was given. */
    public static <T extends @Nullable Object> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer within " + PATIENCE_SECONDS + " s", e);
        }
    }
}
