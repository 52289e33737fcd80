package io.penstock.server.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.FailureCode;
import io.penstock.server.failure.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("BOUNDED")
final class AnswerBudgetTest {

    private static final long MIB = 1024 * 1024;
    private static final long MOST = 1600 * MIB;
    private static final long LONG_MS = 60_000;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void end() {
        await(vertx.close());
    }

    private Future<AnswerBudget.Share> take(AnswerBudget budget, long bytes) {
        return take(budget, AnswerBudget.Kind.OUTPUT, bytes);
    }

    private Future<AnswerBudget.Share> take(AnswerBudget budget, AnswerBudget.Kind kind, long bytes) {
        return take(budget, kind, "same", bytes);
    }

    private Future<AnswerBudget.Share> take(AnswerBudget budget, AnswerBudget.Kind kind, String about, long bytes) {
        return budget.acquire(vertx, kind, about, bytes, () -> {});
    }

    @Test
    void thoseAboutTheSameAreGivenTogether() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        var screen = AnswerBudget.Kind.SCREEN;
        await(take(budget, screen, "a", 400 * MIB));
        var second = await(take(budget, screen, "b", 400 * MIB));
        Future<AnswerBudget.Share> other = take(budget, screen, "b", 400 * MIB);
        Future<AnswerBudget.Share> same = take(budget, screen, "a", 400 * MIB);
        second.giveBack();
        await(same).giveBack();
        await(other);
    }

    @Test
    void aShareThatDoesNotFitWaitsUntilOneIsGivenBack() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        var first = await(take(budget, 500 * MIB));
        Future<AnswerBudget.Share> second = take(budget, 500 * MIB);
        assertFalse(second.isComplete());
        assertEquals(500 * MIB, budget.takenBytes());
        first.giveBack();
        await(second).giveBack();
        await(second).giveBack();
        assertEquals(0, budget.takenBytes());
    }

    @Test
    void whatIsMadeSmallerLeavesRoomForOthers() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        var first = await(take(budget, 500 * MIB));
        Future<AnswerBudget.Share> second = take(budget, 500 * MIB);
        first.resize(100 * MIB);
        await(second);
        assertEquals(600 * MIB, budget.takenBytes());
    }

    @Test
    void smallSharesFindRoomBesideLargeOnes() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        await(take(budget, AnswerBudget.Kind.SCREEN, 800 * MIB));
        await(take(budget, AnswerBudget.Kind.VIEWER, 600 * MIB));
        assertFalse(take(budget, 200 * MIB).isComplete());
        await(take(budget, 100 * MIB));
    }

    @Test
    void oneKindLeavesHalfOfTheBudgetToOthers() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        for (long taken = 0; taken < MOST / 2; taken += 100 * MIB) {
            await(take(budget, 100 * MIB));
        }
        assertFalse(take(budget, 100 * MIB).isComplete());
        await(take(budget, AnswerBudget.Kind.SCREEN, 600 * MIB));
    }

    @Test
    void theKindThatHasLeastIsNext() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        var screen = await(take(budget, AnswerBudget.Kind.SCREEN, 700 * MIB));
        await(take(budget, AnswerBudget.Kind.VIEWER, 300 * MIB));
        var viewer = await(take(budget, AnswerBudget.Kind.VIEWER, 300 * MIB));
        Future<AnswerBudget.Share> nextViewer = take(budget, AnswerBudget.Kind.VIEWER, 200 * MIB);
        Future<AnswerBudget.Share> output = take(budget, 600 * MIB);
        viewer.giveBack();
        assertFalse(nextViewer.isComplete());
        screen.giveBack();
        await(output);
        await(nextViewer);
    }

    @Test
    void aLargeShareIsNotOvertakenByItsKind() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        var first = await(take(budget, 500 * MIB));
        Future<AnswerBudget.Share> large = take(budget, 600 * MIB);
        Future<AnswerBudget.Share> smaller = take(budget, 200 * MIB);
        assertFalse(smaller.isComplete());
        first.giveBack();
        await(large);
        await(smaller);
    }

    @Test
    void aShareLargerThanAllIsGivenWhereNothingElseIsLarge() {
        var budget = new AnswerBudget(MOST, LONG_MS, LONG_MS);
        await(take(budget, 10 * MIB * MOST));
        assertTrue(budget.takenBytes() <= MOST);
    }

    @Test
    void whoHasWaitedTooLongIsAskedToComeAgain() {
        var budget = new AnswerBudget(MOST, 1, LONG_MS);
        await(take(budget, 700 * MIB));
        var full = assertThrows(HttpFailure.class, () -> awaited(take(budget, 700 * MIB)));
        assertEquals(FailureCode.QUOTA_EXCEEDED, full.code());
        assertTrue(full.retryable());
    }

    @Test
    void anAnswerThatNobodyTakesGivesWayToOneThatWaits() {
        var budget = new AnswerBudget(MOST, LONG_MS, 1);
        var stalled = new CompletableFuture<AnswerBudget.Share>();
        await(budget.acquire(
                        vertx,
                        AnswerBudget.Kind.OUTPUT,
                        "stalled",
                        700 * MIB,
                        () -> stalled.join().giveBack())
                .onSuccess(share -> {
                    share.resize(700 * MIB);
                    share.offered();
                    stalled.complete(share);
                }));
        await(take(budget, 700 * MIB));
    }

    private static <T extends @Nullable Object> T await(Future<T> future) {
        try {
            return awaited(future);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T awaited(Future<T> future) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
