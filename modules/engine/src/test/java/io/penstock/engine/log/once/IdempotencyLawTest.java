package io.penstock.engine.log.once;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any order of calls, repeats, failures, restarts and waits gives the answers of a simple map. */
@Tag("EXACTLY_ONCE")
@Tag("long")
class IdempotencyLawTest {

    private static final int STEPS = 150;
    private static final long DAY_MS = TimeUnit.HOURS.toMillis(Limits.IDEMPOTENCY_HOURS);
    private static final String UNKNOWN = "unknown";
    private static final String CONFLICT = "conflict";
    private static final String FAILED = "failed";
    private static final String STOPPED = "stopped";

    /** The model: which request claimed a key, when, and its result. */
    private record Kept(String request, String answer, long atMs) {}

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Requests requests = new Requests();
    private final AtomicLong now = new AtomicLong(TimeUnit.DAYS.toMillis(22_000));
    private final Map<String, Kept> model = new HashMap<>();
    private final StringBuilder story = new StringBuilder();
    private int answers;

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keysAnswerAsAMapWould(long seed) throws Exception {
        var random = new Random(seed);
        Ledger ledger = open();
        for (int step = 0; step < STEPS; step++) {
            String key = "k" + random.nextInt(4);
            String request = random.nextInt(3) == 0 ? "remove" : "create";
            int what = random.nextInt(20);
            if (what < 9) {
                call(ledger, key, request, random);
            } else if (what < 13) {
                if (!callAndRepeatMeanwhile(ledger, key, request, random)) {
                    ledger = open();
                }
            } else if (what < 15) {
                race(ledger, key, random);
            } else if (what < 16) {
                await(ledger.drained());
            } else if (what < 18) {
                long hours = random.nextInt(16);
                story.append("pass ").append(hours).append("h\n");
                now.addAndGet(TimeUnit.HOURS.toMillis(hours));
            } else {
                story.append("restart\n");
                await(ledger.close());
                ledger = open();
            }
        }
        assertTrue(answers > 50, story::toString);
        await(ledger.close());
    }

    private void call(Ledger ledger, String key, String request, Random random) {
        String outcome = outcome(random);
        String expected = expected(key, request);
        int before = requests.runs.get();
        String seen = seen(requests.once(ledger, key, request, () -> resultOf(outcome)));
        tell("call", key, request, outcome, seen);
        if (expected == null) {
            assertEquals(outcome, seen, story::toString);
            keep(key, request, outcome);
        } else {
            assertEquals(expected, seen, story::toString);
        }
        assertEquals(before + (expected == null ? 1 : 0), requests.runs.get(), story::toString);
    }

    /** Returns whether the ledger is still open. */
    private boolean callAndRepeatMeanwhile(Ledger ledger, String key, String request, Random random) throws Exception {
        if (expected(key, request) != null) {
            return true;
        }
        String outcome = outcome(random);
        Promise<String> operation = Promise.promise();
        var running = new CountDownLatch(1);
        var calls = new ArrayList<Future<String>>();
        calls.add(requests.once(ledger, key, request, () -> {
            running.countDown();
            return operation.future();
        }));
        assertTrue(running.await(10, TimeUnit.SECONDS));
        int before = requests.runs.get();
        long began = now.get();
        for (int i = random.nextInt(4); i > 0; i--) {
            calls.add(requests.once(ledger, key, request, "again"));
            String conflict = seen(requests.once(ledger, key, request + " other", "other"));
            assertEquals(CONFLICT, conflict, story::toString);
        }
        // Days may pass.
        now.addAndGet(TimeUnit.HOURS.toMillis(random.nextInt(3) == 0 ? random.nextInt(30) : 0));
        boolean closes = random.nextInt(3) == 0;
        if (closes) {
            await(ledger.close());
        }
        resultOf(outcome).onComplete(operation);
        boolean recorded = !closes;
        for (Future<String> call : calls) {
            String seen = seen(call);
            tell(closes ? "while closing" : "meanwhile", key, request, outcome, seen);
            // A failure, and an answer that is not stored, complete without a record.
            boolean told = recorded || outcome.equals(FAILED) || outcome.equals(UNKNOWN) || isLarge(outcome);
            assertEquals(told ? outcome : STOPPED, seen, story::toString);
        }
        assertEquals(before, requests.runs.get(), story::toString);
        if (recorded) {
            keep(key, request, outcome, began);
        } else {
            model.put(key, new Kept(request, UNKNOWN, began));
        }
        return !closes;
    }

    private void race(Ledger ledger, String key, Random random) throws Exception {
        record Racer(String request, Promise<String> result) {}
        var together = new CountDownLatch(1);
        var racers = new ArrayList<Racer>();
        int before = requests.runs.get();
        answers++;
        String answer = "answer " + answers;
        for (int i = 0; i < 8; i++) {
            var racer = new Racer(random.nextInt(4) == 0 ? "remove" : "create", Promise.promise());
            racers.add(racer);
            Thread.ofVirtual().start(() -> {
                try {
                    together.await();
                    requests.once(ledger, key, racer.request(), answer + racer.request())
                            .onComplete(racer.result());
                } catch (InterruptedException e) {
                    racer.result().fail(e);
                }
            });
        }
        together.countDown();
        boolean free = expected(key, "anything else") == null;
        for (Racer racer : racers) {
            String seen = seen(racer.result().future());
            tell("race", key, racer.request(), answer, seen);
            if (free && seen.equals(answer + racer.request())) {
                free = false;
                keep(key, racer.request(), seen);
            }
        }
        for (Racer racer : racers) {
            assertEquals(expected(key, racer.request()), seen(racer.result().future()), story::toString);
        }
        assertTrue(requests.runs.get() - before <= 1, story::toString);
    }

    /** The model's answer, or null if the operation is to run. */
    private @Nullable String expected(String key, String request) {
        Kept kept = model.get(key);
        if (kept == null || now.get() - kept.atMs() >= DAY_MS) {
            return null;
        }
        return kept.request().equals(request) ? kept.answer() : CONFLICT;
    }

    private void keep(String key, String request, String outcome) {
        keep(key, request, outcome, now.get());
    }

    private void keep(String key, String request, String outcome, long atMs) {
        if (outcome.equals(FAILED)) {
            model.remove(key);
        } else {
            model.put(key, new Kept(request, isLarge(outcome) ? UNKNOWN : outcome, atMs));
        }
    }

    private String outcome(Random random) {
        answers++;
        return switch (random.nextInt(8)) {
            case 0, 1 -> FAILED;
            case 2 -> UNKNOWN;
            case 3 -> "x".repeat(Limits.IDEMPOTENCY_ANSWER_BYTES - 10) + "large answer " + answers;
            default -> "answer " + answers;
        };
    }

    private static boolean isLarge(String outcome) {
        return outcome.length() > Limits.IDEMPOTENCY_ANSWER_BYTES;
    }

    private static Future<String> resultOf(String outcome) {
        return switch (outcome) {
            case FAILED -> Future.failedFuture(new Failure(FailureCode.QUOTA_EXCEEDED, "Full"));
            case UNKNOWN -> Future.failedFuture(new Failure(FailureCode.OUTCOME_UNKNOWN, "Who knows"));
            default -> Future.succeededFuture(outcome);
        };
    }

    private String seen(Future<String> call) {
        try {
            return await(call);
        } catch (Failure e) {
            return switch (e.code()) {
                case OUTCOME_UNKNOWN -> UNKNOWN;
                case IDEMPOTENCY_CONFLICT -> CONFLICT;
                case QUOTA_EXCEEDED -> FAILED;
                case LOG_UNAVAILABLE -> STOPPED;
                default -> throw new AssertionError(story.toString(), e);
            };
        }
    }

    private void tell(String what, String key, String request, String outcome, String seen) {
        for (String word : List.of(what, key, request, outcome, "->", seen)) {
            story.append(word, 0, Math.min(word.length(), 30)).append(' ');
        }
        story.append('\n');
    }

    private Ledger open() {
        return await(Ledger.open(vertx, folder.settings(), now::get));
    }
}
