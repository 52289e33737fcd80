package io.penstock.engine.log.once;

import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.drain.StreamNumbers;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Behaviour over restarts, over days, and while Postgres is slow, unavailable or another one. */
@Tag("long")
class IdempotencyOverTimeTest {

    private static final long NOON = Instant.parse("2031-05-05T12:00:00Z").toEpochMilli();

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Requests requests = new Requests();
    private final AtomicLong now = new AtomicLong(NOON);

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    @Test
    void anAnswerOutlivesTheProcess() {
        Ledger first = open();
        await(requests.once(first, "k", "create", "one"));
        await(requests.once(first, "large", "create", "x".repeat(60_000)));
        await(first.close());

        Ledger second = open();
        assertEquals("one", await(requests.once(second, "k", "create", "two")));
        assertEquals("x".repeat(60_000), await(requests.once(second, "large", "create", "two")));
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, requests.once(second, "k", "remove", "two"));
        assertEquals(2, requests.runs.get());
        await(second.close());
    }

    @Test
    void operationRunningAtTheCloseHasAnUnknownOutcome() throws Exception {
        Ledger first = open();
        Promise<String> operation = Promise.promise();
        Future<String> call = underWay(first, "k", operation);
        await(first.close());
        operation.complete("done");
        assertFails(FailureCode.LOG_UNAVAILABLE, call);
        assertFails(FailureCode.LOG_UNAVAILABLE, requests.once(first, "k", "create", "one"));

        Ledger second = open();
        assertFails(FailureCode.OUTCOME_UNKNOWN, requests.once(second, "k", "create", "one"));
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, requests.once(second, "k", "remove", "one"));
        assertEquals(1, requests.runs.get());
        await(second.close());
    }

    @Test
    void releasedKeyIsFreeAfterARestart() {
        Ledger first = open();
        assertFails(FailureCode.QUOTA_EXCEEDED, requests.once(first, "k", "create", () -> {
            throw new Failure(FailureCode.QUOTA_EXCEEDED, "Full");
        }));
        await(first.close());

        Ledger second = open();
        assertEquals("one", await(requests.once(second, "k", "remove", "one")));
        await(second.close());
    }

    @Test
    void undrainedKeyIsKnownAfterARestart() {
        Ledger ledger = open();
        await(ledger.drained());
        Database other = TestDatabase.open(vertx, folder.schema);
        PgConnection holding = await(other.connect(1));
        await(holding.query("BEGIN").execute());
        await(holding.query("SELECT FROM node FOR UPDATE").execute());

        var failed = new Failure(FailureCode.QUOTA_EXCEEDED, "Full");
        for (int i = 0; i < 200; i++) {
            await(requests.once(ledger, "k" + i, "create", "answer " + i));
            assertFails(FailureCode.QUOTA_EXCEEDED, requests.once(ledger, "f" + i, "create", () -> failing(failed)));
        }
        int before = requests.runs.get();
        for (int i = 0; i < 200; i++) {
            assertEquals("answer " + i, await(requests.once(ledger, "k" + i, "create", "no")));
        }
        assertEquals(before, requests.runs.get());
        assertEquals(400, ledger.idempotency().keysInMemory());

        await(holding.query("ROLLBACK").execute());
        await(ledger.drained());
        // A released key is free.
        assertEquals(200, ledger.idempotency().keysInMemory());
        assertEquals("one", await(requests.once(ledger, "f7", "remove", "one")));
        await(other.close());
        await(ledger.close());
    }

    @Test
    void duringAnOutageOnlyKnownKeysAreAnswered() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())
                .withJournalSizes(1 << 20, 8 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings));
        await(requests.once(ledger, "k", "create", "one"));
        Promise<String> operation = Promise.promise();
        Future<String> call = underWay(ledger, "under way", operation);
        postgres.stop();

        operation.complete("done");
        assertEquals("done", await(call));
        assertEquals("one", await(requests.once(ledger, "k", "create", "two")));
        int before = requests.runs.get();
        for (int i = 0; i < 3; i++) {
            assertFails(FailureCode.DATABASE_UNAVAILABLE, requests.once(ledger, "new", "create", "three"));
        }
        assertEquals(before, requests.runs.get());

        EmbeddedPostgres back = postgres.startAgain();
        await(ledger.drained());
        assertEquals("four", await(requests.once(ledger, "new", "remove", "four")));
        assertEquals("done", await(requests.once(ledger, "under way", "create", "five")));
        await(ledger.close());
        back.stop();
        TestDatabase.delete(data);
    }

    @Test
    void anAnswerIsKeptOverMidnightAndForADay() {
        Ledger ledger = open();
        await(requests.once(ledger, "k", "create", "one"));
        pass(Duration.ofHours(24).minusMillis(1));
        assertEquals("one", await(requests.once(ledger, "k", "create", "two")));
        await(ledger.close());
        Ledger again = open();
        assertEquals("one", await(requests.once(again, "k", "create", "two")));
        pass(Duration.ofMillis(1));
        assertEquals("two", await(requests.once(again, "k", "remove", "two")));
        pass(Duration.ofHours(23));
        assertEquals("two", await(requests.once(again, "k", "remove", "three")));
        await(again.close());

        // Claimed on two days: the newer claim counts.
        Ledger third = open();
        assertEquals("two", await(requests.once(third, "k", "remove", "three")));
        assertFails(FailureCode.IDEMPOTENCY_CONFLICT, requests.once(third, "k", "create", "three"));
        await(third.close());
    }

    @Test
    void anAnswerAfterMidnightIsThatOfTheClaimBeforeIt() throws Exception {
        Ledger ledger = open();
        Promise<String> operation = Promise.promise();
        Future<String> call = underWay(ledger, "k", operation);
        await(ledger.drained());
        pass(Duration.ofHours(13));
        operation.complete("one");
        assertEquals("one", await(call));
        await(ledger.close());
        Ledger again = open();
        assertEquals("one", await(requests.once(again, "k", "create", "two")));
        await(again.close());
    }

    @Test
    void clockSetBackKeepsTheNewestClaim() {
        Ledger ledger = open();
        await(requests.once(ledger, "k", "create", "one"));
        pass(Duration.ofDays(1));
        assertFails(
                FailureCode.QUOTA_EXCEEDED,
                requests.once(ledger, "k", "create", () -> failing(new Failure(FailureCode.QUOTA_EXCEEDED, "Full"))));
        await(ledger.close());
        pass(Duration.ofHours(-20));
        Ledger again = open();
        assertEquals("two", await(requests.once(again, "k", "create", "two")));
        await(again.close());
        Ledger third = open();
        assertEquals("two", await(requests.once(third, "k", "create", "three")));
        await(third.close());
    }

    @Test
    void pastDaysAreDropped() {
        Ledger ledger = open();
        await(requests.once(ledger, "k", "create", "one"));
        await(ledger.drained());
        Database database = TestDatabase.open(vertx, folder.schema);
        int day = StreamNumbers.dayOfMillis(NOON);
        assertEquals(List.of(day), await(Partitions.days(database.pool(), "idempotency")));
        await(ledger.close());

        pass(Duration.ofHours(35));
        Ledger tomorrow = open();
        await(requests.once(tomorrow, "k", "create", "two"));
        await(tomorrow.drained());
        assertEquals(List.of(day, day + 1), await(Partitions.days(database.pool(), "idempotency")));
        await(tomorrow.close());

        pass(Duration.ofHours(1));
        Ledger later = open();
        assertEquals(List.of(day + 1), await(Partitions.days(database.pool(), "idempotency")));
        assertEquals("two", await(requests.once(later, "k", "create", "three")));
        pass(Duration.ofHours(48));
        var retention = new KeyRetention(vertx, database, now::get);
        assertEquals(List.of(day + 1), retention.dropExpired());
        retention.stop();
        await(later.close());
        await(database.close());
    }

    @Test
    void drainRecreatesADroppedDay() {
        Ledger ledger = open();
        await(requests.once(ledger, "k", "create", "one"));
        await(ledger.drained());
        Database database = TestDatabase.open(vertx, folder.schema);
        Partitions.dropIdempotencyBefore(database.pool(), StreamNumbers.dayOfMillis(NOON) + 1);
        await(requests.once(ledger, "other", "create", "two"));
        await(ledger.drained());
        await(ledger.close());
        Ledger again = open();
        assertEquals("two", await(requests.once(again, "other", "create", "three")));
        await(again.close());
        await(database.close());
    }

    @Test
    void nothingRunsOnceTheNodeIsFenced() throws Exception {
        Ledger ledger = open();
        await(requests.once(ledger, "k", "create", "one"));
        Promise<String> operation = Promise.promise();
        Future<String> call = underWay(ledger, "under way", operation);
        await(ledger.drained());
        Database database = TestDatabase.open(vertx, folder.schema);
        await(database.pool().query("UPDATE node SET epoch = epoch + 1").execute());
        await(requests.once(ledger, "last", "create", "taken by the journal only"));
        assertFails(FailureCode.NODE_FENCED, ledger.drained());

        int before = requests.runs.get();
        assertFails(FailureCode.NODE_FENCED, requests.once(ledger, "new", "create", "two"));
        assertFails(FailureCode.NODE_FENCED, requests.once(ledger, "k", "create", "two"));
        operation.complete("done");
        assertFails(FailureCode.NODE_FENCED, call);
        assertEquals(before, requests.runs.get());
        await(database.close());
        await(ledger.close());
    }

    /** The call of a key whose operation is running. */
    private Future<String> underWay(Ledger ledger, String key, Promise<String> operation) throws InterruptedException {
        var running = new CountDownLatch(1);
        Future<String> call = requests.once(ledger, key, "create", () -> {
            running.countDown();
            return operation.future();
        });
        assertTrue(running.await(10, TimeUnit.SECONDS));
        return call;
    }

    private static Future<String> failing(Failure why) {
        return Future.failedFuture(why);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toMillis());
    }

    private Ledger open() {
        return await(Ledger.open(vertx, folder.settings(), now::get));
    }
}
