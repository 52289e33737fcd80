package io.penstock.engine.log;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncLoopTest {

    private static final int MANY = 100_000;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger rounds = new AtomicInteger();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private Future<Boolean> later(Future<Boolean> answer) {
        Promise<Boolean> later = Promise.promise();
        vertx.runOnContext(now -> answer.onComplete(later));
        return later.future();
    }

    @Test
    void anyNumberOfIterationsCompletesAtOnceOrLater() {
        await(AsyncLoop.of(() -> Future.succeededFuture(rounds.incrementAndGet() < MANY)));
        assertEquals(MANY, rounds.getAndSet(0));
        await(AsyncLoop.of(() -> later(Future.succeededFuture(rounds.incrementAndGet() < MANY))));
        assertEquals(MANY, rounds.get());
    }

    @Test
    void failedIterationEndsTheLoop() {
        var late = new IllegalStateException("late");
        Future<Void> failing = AsyncLoop.of(
                () -> later(rounds.incrementAndGet() < 3 ? Future.succeededFuture(true) : Future.failedFuture(late)));
        assertEquals(late, assertThrows(IllegalStateException.class, () -> await(failing)));
        assertEquals(3, rounds.get());
        Future<Void> throwing = AsyncLoop.of(() -> {
            throw new IllegalStateException("at once");
        });
        assertThrows(IllegalStateException.class, () -> await(throwing));
    }
}
