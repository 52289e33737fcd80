package io.penstock.engine.screen;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FairSchedulerTest {

    private final Vertx vertx = Vertx.vertx();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Future<?>> all = new ArrayList<>();

    @AfterEach
    void end() {
        await(vertx.close());
    }

    private FairScheduler turns(int workers) {
        return new FairScheduler(vertx.createSharedWorkerExecutor("turns", workers), workers);
    }

    private void add(FairScheduler turns, String taskId, FairScheduler.Cause cause) {
        all.add(turns.next(taskId, cause, () -> order.add(taskId)));
    }

    @Test
    void tasksTakeTurnsHoweverManyEachWants() {
        FairScheduler turns = turns(1);
        all.add(turns.next("first", FairScheduler.Cause.REQUESTED, () -> {
            gate.await();
            return true;
        }));
        for (int i = 0; i < 3; i++) {
            add(turns, "greedy", FairScheduler.Cause.REQUESTED);
        }
        add(turns, "unasked", FairScheduler.Cause.BACKGROUND);
        add(turns, "modest", FairScheduler.Cause.REQUESTED);
        add(turns, "other", FairScheduler.Cause.REQUESTED);
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("greedy", "modest", "other", "greedy", "greedy", "unasked"), order);
    }

    @Test
    void taskWithTheLeastUsedTimeIsNext() {
        FairScheduler turns = turns(1);
        var begun = new CountDownLatch(1);
        all.add(turns.next("large", FairScheduler.Cause.REQUESTED, () -> {
            begun.countDown();
            gate.await();
            return order.add("large");
        }));
        await(vertx.executeBlocking(() -> {
            begun.await();
            return true;
        }));
        add(turns, "first", FairScheduler.Cause.REQUESTED);
        add(turns, "large", FairScheduler.Cause.REQUESTED);
        add(turns, "large", FairScheduler.Cause.REQUESTED);
        add(turns, "small", FairScheduler.Cause.REQUESTED);
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("large", "first", "small", "large", "large"), order);
    }

    @Test
    void backgroundWorkLeavesAWorkerFree() {
        FairScheduler turns = turns(2);
        for (String taskId : List.of("a", "b")) {
            all.add(turns.next(taskId, FairScheduler.Cause.BACKGROUND, () -> {
                gate.await();
                return order.add(taskId);
            }));
        }
        await(turns.next("asked", FairScheduler.Cause.REQUESTED, () -> order.add("asked")));
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("asked", "a", "b"), order);
    }

    @Test
    void taskHasOneTurnAtATime() {
        FairScheduler turns = turns(2);
        all.add(turns.next("greedy", FairScheduler.Cause.REQUESTED, () -> {
            gate.await();
            return order.add("first");
        }));
        add(turns, "greedy", FairScheduler.Cause.REQUESTED);
        await(turns.next("other", FairScheduler.Cause.REQUESTED, () -> order.add("other")));
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("other", "first", "greedy"), order);
    }
}
