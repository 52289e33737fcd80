package io.penstock.engine.log.once;

import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Behaviour within one process. Every test uses new keys, so one ledger serves all of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyTest {

    private static final AtomicInteger KEYS = new AtomicInteger();

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Ledger ledger = folder.open(vertx);
    private final Requests requests = new Requests();

    @AfterAll
    void closeAll() {
        await(ledger.close());
        await(vertx.close());
        folder.close();
    }

    @Test
    void aRepeatGetsTheSameAnswerAndRunsNothing() {
        String key = fresh();
        assertEquals("one", await(requests.once(ledger, key, "create", "one")));
        int before = requests.runs.get();
        assertEquals("one", await(requests.once(ledger, key, "create", "two")));
        await(ledger.drained());
        assertEquals("one", await(requests.once(ledger, key, "create", "three")));
        assertEquals(before, requests.runs.get());
    }

    @Test
    void anEmptyAnswerIsAnAnswer() {
        String key = fresh();
        assertEquals("", await(requests.once(ledger, key, "create", "")));
        assertEquals("", await(requests.once(ledger, key, "create", "two")));
    }

    @Test
    void theSameKeyOfAnotherPrincipalIsAnotherKey() {
        String key = fresh();
        assertEquals("one", await(requests.once(ledger, "user:alice", key, "create", () -> answer("one"))));
        assertEquals("two", await(requests.once(ledger, "user:bob", key, "remove", () -> answer("two"))));
    }

    @Test
    void otherRequestWithTheSameKeyIsAConflict() {
        String key = fresh();
        await(requests.once(ledger, key, "create", "one"));
        int before = requests.runs.get();
        Failure conflict = assertThrows(Failure.class, () -> await(requests.once(ledger, key, "remove", "two")));
        assertEquals(FailureCode.IDEMPOTENCY_CONFLICT, conflict.code());
        String sentence = String.valueOf(conflict.getMessage());
        assertTrue(sentence.contains("'" + key + "' of user:alice was first used at 20"), sentence);
        assertEquals(before, requests.runs.get());
    }

    @Test
    void aHundredThreadsWithOneKeyRunItOnceAndAllGetItsAnswer() throws Exception {
        for (int round = 0; round < 20; round++) {
            String key = fresh();
            int before = requests.runs.get();
            var together = new CountDownLatch(1);
            var answers = new ArrayList<Promise<String>>();
            for (int t = 0; t < 100; t++) {
                String mine = "answer " + t;
                Promise<String> answer = Promise.promise();
                answers.add(answer);
                Thread.ofVirtual().start(() -> {
                    try {
                        together.await();
                        requests.once(ledger, key, "create", mine).onComplete(answer);
                    } catch (InterruptedException e) {
                        answer.fail(e);
                    }
                });
            }
            together.countDown();
            String first = await(answers.getFirst().future());
            for (Promise<String> answer : answers) {
                assertEquals(first, await(answer.future()));
            }
            assertEquals(before + 1, requests.runs.get());
        }
    }

    @Test
    void ofTwoRequestsWithOneNewKeyOneRunsAndOneIsAConflict() {
        String key = fresh();
        int before = requests.runs.get();
        Future<String> one = requests.once(ledger, key, "create", "one");
        Future<String> two = requests.once(ledger, key, "remove", "two");
        assertEquals("one", await(one));
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, two);
        assertEquals(before + 1, requests.runs.get());
    }

    @Test
    void aRepeatWaitsForTheOneInFlight() throws Exception {
        String key = fresh();
        Promise<String> operation = Promise.promise();
        var running = new CountDownLatch(1);
        Future<String> first = requests.once(ledger, key, "create", () -> {
            running.countDown();
            return operation.future();
        });
        assertTrue(running.await(10, TimeUnit.SECONDS));
        int before = requests.runs.get();
        Future<String> second = requests.once(ledger, key, "create", "two");
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, requests.once(ledger, key, "remove", "three"));
        assertFalse(first.isComplete() || second.isComplete());
        operation.complete("one");
        assertEquals("one", await(first));
        assertEquals("one", await(second));
        assertEquals(before, requests.runs.get());
    }

    @Test
    void failedOperationReleasesItsKey() {
        String key = fresh();
        var denied = new Failure(FailureCode.POLICY_DENIED, "No");
        assertFails(FailureCode.POLICY_DENIED, requests.once(ledger, key, "create", () -> Future.failedFuture(denied)));
        assertFails(FailureCode.POLICY_DENIED, requests.once(ledger, key, "create", () -> {
            throw denied;
        }));
        await(ledger.drained());
        assertFails(FailureCode.POLICY_DENIED, requests.once(ledger, key, "other", () -> Future.failedFuture(denied)));
        assertEquals("one", await(requests.once(ledger, key, "remove", "one")));
        assertEquals("one", await(requests.once(ledger, key, "remove", "two")));
    }

    @Test
    void operationWithUnknownOutcomeKeepsItsKey() {
        String key = fresh();
        var unknown = new Failure(FailureCode.OUTCOME_UNKNOWN, "The far side said nothing");
        assertFails(
                FailureCode.OUTCOME_UNKNOWN, requests.once(ledger, key, "create", () -> Future.failedFuture(unknown)));
        int before = requests.runs.get();
        Failure repeat = assertThrows(Failure.class, () -> await(requests.once(ledger, key, "create", "one")));
        assertEquals(FailureCode.OUTCOME_UNKNOWN, repeat.code());
        assertTrue(String.valueOf(repeat.getMessage()).contains("use a new key"), repeat::getMessage);
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, requests.once(ledger, key, "remove", "two"));
        assertEquals(before, requests.runs.get());
    }

    @Test
    void tooLargeAnswerIsGivenButNotStored() {
        String key = fresh();
        String large = "x".repeat(Limits.IDEMPOTENCY_ANSWER_BYTES + 1);
        assertEquals(large, await(requests.once(ledger, key, "create", large)));
        int before = requests.runs.get();
        assertFails(FailureCode.OUTCOME_UNKNOWN, requests.once(ledger, key, "create", "two"));
        assertEquals(before, requests.runs.get());

        String largest = "x".repeat(Limits.IDEMPOTENCY_ANSWER_BYTES);
        String other = fresh();
        assertEquals(largest, await(requests.once(ledger, other, "create", largest)));
        await(ledger.drained());
        assertEquals(largest, await(requests.once(ledger, other, "create", "two")));
    }

    @Test
    void changingAnAnswerChangesNoOtherCopy() {
        String key = fresh();
        byte[] kept = {1, 2, 3};
        var idempotency = ledger.idempotency();
        for (int i = 0; i < 3; i++) {
            byte[] answer = await(idempotency.once("p", key, new byte[] {7}, () -> Future.succeededFuture(kept)));
            assertEquals(1, answer[0]);
            answer[0] = 9;
            kept[0] = 8;
        }
    }

    @Test
    void operationAndAnswersRunOnTheirCallersContexts() {
        String key = fresh();
        var seen = new ArrayList<Future<Void>>();
        for (int i = 0; i < 4; i++) {
            Context context = ((io.vertx.core.internal.VertxInternal) vertx).createEventLoopContext();
            Promise<Void> checked = Promise.promise();
            seen.add(checked.future());
            context.runOnContext(v -> requests.once(ledger, key, "create", () -> {
                        assertSame(context, Vertx.currentContext());
                        return answer("one");
                    })
                    .onComplete(done -> {
                        try {
                            assertEquals("one", done.result());
                            assertSame(context, Vertx.currentContext());
                            checked.complete();
                        } catch (AssertionError e) {
                            checked.fail(e);
                        }
                    }));
        }
        await(Future.all(seen));
    }

    @Test
    void invalidKeyIsRefusedAndRunsNothing() {
        int before = requests.runs.get();
        refused("An idempotency key has 1 to 256 characters, this one is blank", "p", " ");
        refused("An idempotency key has at most 256 characters, this one has 257", "p", "k".repeat(257));
        refused("An idempotency key cannot contain the character U+0000, this one has it at 1", "p", "k\0");
        refused("An idempotency key is Unicode text, this one contains half a surrogate pair", "p", "k\ud800");
        refused("A principal has 1 to 256 characters, this one is blank", "", "k");
        refused("A principal cannot contain the character U+0000, this one has it at 0", "\0", "k");
        for (int length : List.of(0, 65)) {
            Failure refusal = assertThrows(
                    Failure.class,
                    () -> await(
                            ledger.idempotency().once("p", "k", new byte[length], () -> Future.failedFuture("no"))));
            assertEquals("A fingerprint has 1 to 64 bytes, this one has " + length, refusal.getMessage());
        }
        assertEquals(before, requests.runs.get());
    }

    private void refused(String sentence, String principal, String key) {
        Failure refusal = assertThrows(
                Failure.class, () -> await(requests.once(ledger, principal, key, "create", () -> answer("one"))));
        assertEquals(FailureCode.INVALID_REQUEST, refusal.code());
        assertEquals(sentence, refusal.getMessage());
    }

    @Test
    void theLongestKeyOfTheWidestCharactersReachesTheDatabase() {
        String key = fresh() + "\uffee".repeat(Limits.IDEMPOTENCY_KEY_CHARS - 20);
        String principal = "\uffee".repeat(Limits.IDEMPOTENCY_PRINCIPAL_CHARS);
        assertEquals("one", await(requests.once(ledger, principal, key, "create", () -> answer("one"))));
        await(ledger.drained());
    }

    @Test
    void keysWorkTheSameWhereEveryRecordIsForced() {
        try (var forced = new LedgerFolder()) {
            Ledger careful = forced.open(vertx, new Fsync.Always());
            Future<String> one = requests.once(careful, "k", "create", "one");
            Future<String> two = requests.once(careful, "k", "create", "two");
            assertEquals("one", await(one));
            assertEquals("one", await(two));
            await(careful.close());
        }
    }

    private static Future<String> answer(String text) {
        return Future.succeededFuture(text);
    }

    private static String fresh() {
        return "key-" + KEYS.incrementAndGet();
    }
}
