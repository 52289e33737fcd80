package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FairSchedulerTest {

    private static final int CELLS = 24 * 80;
    private static final int LARGE_CELLS = Limits.SCREEN_CELLS;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong worked = new AtomicLong();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Future<?>> all = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void end() {
        await(vertx.close());
    }

    private FairScheduler turns(int workers) {
        return new FairScheduler(vertx.createSharedWorkerExecutor("turns", workers), workers, System::nanoTime);
    }

    private void add(FairScheduler turns, String taskId, FairScheduler.Cause cause) {
        all.add(turns.next(taskId, cause, CELLS, () -> order.add(taskId)));
    }

    @Test
    void tasksTakeTurnsHoweverManyEachWants() {
        FairScheduler turns = turns(1);
        all.add(turns.next("first", FairScheduler.Cause.REQUESTED, CELLS, () -> {
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
        all.add(turns.next("large", FairScheduler.Cause.REQUESTED, CELLS, () -> {
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

    /** With one worker, and time that passes only as turns say. */
    private FairScheduler timedTurns() {
        return new FairScheduler(vertx.createSharedWorkerExecutor("turns", 1), 1, worked::get);
    }

    /** @param factor of the time that is expected of it */
    private void turn(FairScheduler turns, String taskId, int cells, double factor, Runnable then) {
        all.add(turns.next(taskId, FairScheduler.Cause.REQUESTED, cells, () -> {
            gate.await();
            worked.addAndGet((long) (cells * FairScheduler.NANOS_PER_CELL * factor));
            order.add(taskId);
            then.run();
            return true;
        }));
    }

    private void turn(FairScheduler turns, String taskId, int cells) {
        turn(turns, taskId, cells, 1, () -> {});
    }

    /** Until there are no more; turns may add some. */
    private void awaitAll() {
        for (int i = 0; i < all.size(); i++) {
            await(all.get(i));
        }
    }

    /** However many there are, and however wrong their expected cost is. */
    @ParameterizedTest
    @CsvSource({"1, 1", "10, 1", "100, 1", "400, 1", "100, 0.01", "100, 50"})
    void smallScreenWaitsForFewTurnsOfLargeOnes(int large, double factor) {
        FairScheduler turns = timedTurns();
        int came = large * 3 / 2;
        for (int n = 0; n < 3; n++) {
            for (int i = 0; i < large; i++) {
                turn(turns, "large " + i, LARGE_CELLS, factor, () -> {
                    if (order.size() == came) {
                        for (int each = 0; each < 3; each++) {
                            turn(turns, "late", CELLS);
                        }
                    }
                });
            }
        }
        for (int n = 0; n < 3; n++) {
            turn(turns, "small", CELLS);
        }
        gate.countDown();
        awaitAll();
        int last = order.lastIndexOf("small");
        // Three turns of each of both, and one of a large one before.
        assertTrue(last <= 7, () -> "the small screen is complete after turn " + last + " of " + order);
        int late = order.lastIndexOf("late") - came;
        assertTrue(late <= 7, () -> "a later one is complete " + late + " turns later: " + order);
    }

    @Test
    void largeScreenIsServedHoweverManySmallOnesCome() {
        FairScheduler turns = timedTurns();
        int ratio = LARGE_CELLS / CELLS;
        turn(turns, "first", CELLS);
        turn(turns, "large", LARGE_CELLS);
        smallWithoutEnd(turns, 0);
        smallWithoutEnd(turns, 1);
        gate.countDown();
        awaitAll();
        assertTrue(order.contains("large"));
        // Of the time of four tasks, the large one and three small ones, it has a quarter.
        assertTrue(order.indexOf("large") <= 5 * ratio, () -> "turn " + order.indexOf("large"));
    }

    /** Each, before it is done, is followed by another task's, until the large one had its turn. */
    private void smallWithoutEnd(FairScheduler turns, int number) {
        turn(turns, "small " + number, CELLS, 1, () -> {
            if (!order.contains("large")) {
                smallWithoutEnd(turns, number + 2);
            }
        });
    }

    @Test
    void manyShortTurnsDoNotExhaustTheStack() {
        FairScheduler turns = turns(1);
        await(vertx.executeBlocking(() -> true).compose(onAContext -> {
            for (int i = 0; i < 20_000; i++) {
                all.add(turns.next("task " + i % 10, FairScheduler.Cause.REQUESTED, CELLS, () -> true));
            }
            return Future.succeededFuture(true);
        }));
        await(Future.all(List.copyOf(all)));
    }

    @Test
    void backgroundWorkLeavesAWorkerFree() {
        FairScheduler turns = turns(2);
        for (String taskId : List.of("a", "b")) {
            all.add(turns.next(taskId, FairScheduler.Cause.BACKGROUND, CELLS, () -> {
                gate.await();
                return order.add(taskId);
            }));
        }
        await(turns.next("asked", FairScheduler.Cause.REQUESTED, CELLS, () -> order.add("asked")));
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("asked", "a", "b"), order);
    }

    @Test
    void taskHasOneTurnAtATime() {
        FairScheduler turns = turns(2);
        all.add(turns.next("greedy", FairScheduler.Cause.REQUESTED, CELLS, () -> {
            gate.await();
            return order.add("first");
        }));
        add(turns, "greedy", FairScheduler.Cause.REQUESTED);
        await(turns.next("other", FairScheduler.Cause.REQUESTED, CELLS, () -> order.add("other")));
        gate.countDown();
        await(Future.all(all));
        assertEquals(List.of("other", "first", "greedy"), order);
    }
}
