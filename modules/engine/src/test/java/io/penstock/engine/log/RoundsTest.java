package io.penstock.engine.log;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final int MANY = 100_000;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger rounds = new AtomicInteger();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void thereMayBeAnyNumberOfThemWhetherTheirAnswersAreThereOrComeLater() {
        await(Rounds.of(() -> Future.succeededFuture(rounds.incrementAndGet() < MANY)));
        assertEquals(MANY, rounds.getAndSet(0));
        await(Rounds.of(() -> {
            Promise<Boolean> later = Promise.promise();
            vertx.getOrCreateContext().runOnContext(now -> later.complete(rounds.incrementAndGet() < MANY));
            return later.future();
        }));
        assertEquals(MANY, rounds.get());
    }

    @Test
    void oneThatFailsIsTheLast() {
        var late = new IllegalStateException("late");
        assertEquals(
                late,
                assertThrows(
                        IllegalStateException.class,
                        () -> await(Rounds.of(() -> rounds.incrementAndGet() < 3
                                ? Future.succeededFuture(true)
                                : vertx.executeBlocking(() -> {
                                    throw late;
                                })))));
        assertEquals(3, rounds.get());
        assertThrows(
                IllegalStateException.class,
                () -> await(Rounds.of(() -> {
                    throw new IllegalStateException("at once");
                })));
    }
}
