package io.penstock.engine.log;

import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Start-up code that blocks, and the undoing of starts that fail. */
class BlockingStepsTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void stepsWaitForFuturesAndReturnToCallersContext() {
        Context caller = vertx.getOrCreateContext();
        Promise<Context> returnedTo = Promise.promise();
        caller.runOnContext(here -> BlockingSteps.run(() -> vertx.timer(1).await())
                .onSuccess(done -> returnedTo.complete(Vertx.currentContext())));
        assertSame(caller, await(returnedTo.future()));
    }

    @Test
    void failureOfAStepIsTheFailureOfTheRun() {
        var broken = new IllegalStateException("broken");
        var failure = assertThrows(
                IllegalStateException.class,
                () -> finished(BlockingSteps.run(() -> {
                    throw broken;
                })));
        assertSame(broken, failure);
    }

    /** Each step waits for another one, so the items pass in pairs. */
    @Test
    void forEachRunsUpToItsLimitAtTheSameTime() {
        var pair = new CyclicBarrier(2);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new AtomicInteger();
        BlockingSteps.forEach(IntStream.range(0, 20).boxed().toList(), 2, item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                pair.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            running.decrementAndGet();
            done.incrementAndGet();
        });
        assertEquals(20, done.get());
        assertEquals(2, most.get());
    }

    @Test
    void rollbackUndoesInReverseOrderUnlessCancelled() {
        List<String> undone = new ArrayList<>();
        try (var rollback = new Rollback()) {
            rollback.add("first", undone::add);
            rollback.add("second", undone::add);
        }
        assertEquals(List.of("second", "first"), undone);
        try (var rollback = new Rollback()) {
            rollback.add("third", undone::add);
            rollback.cancel();
        }
        assertTrue(!undone.contains("third"));
    }
}
