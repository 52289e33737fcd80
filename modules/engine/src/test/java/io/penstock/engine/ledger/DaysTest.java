package io.penstock.engine.ledger;

import static io.penstock.engine.ledger.LedgerTest.readAll;
import static io.penstock.engine.log.FrameLogContract.assertDense;
import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Midnight, and clocks that are changed. */
class DaysTest {

    private static final long DAY_MS = 86_400_000;
    private static final int TODAY = 20_000;

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final AtomicLong nowMs = new AtomicLong(TODAY * DAY_MS + 1000);

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    private Ledger open() {
        return await(Ledger.open(vertx, folder.settings(), nowMs::get));
    }

    private static StreamId append(Ledger ledger, int frames) {
        StreamId stream = fresh();
        try (StreamWriter writer = await(ledger.frames().create(stream))) {
            for (int i = 0; i < frames; i++) {
                await(writer.append(i, Bodies.notice(i)));
            }
        }
        return stream;
    }

    private List<Integer> days() {
        PgConnection connection =
                await(PgConnection.connect(vertx, TestDatabase.postgres().connectOptions()));
        List<Integer> days = await(connection
                .query("SET search_path TO " + folder.schema)
                .execute()
                .compose(set -> Partitions.days(connection, "frame")));
        await(connection.close());
        return days;
    }

    @Test
    void streamContinuesOverMidnightAndNewOnesGetTheNewDay() throws Exception {
        Ledger ledger = open();
        StreamId stream = fresh();
        StreamWriter writer = await(ledger.frames().create(stream));
        var seen = new ArrayList<Long>();
        var all = new CountDownLatch(3_000);
        ledger.frames().follow(stream, 0).handler(frame -> {
            seen.add(frame.seq());
            all.countDown();
        });
        for (int i = 0; i < 3_000; i++) {
            if (i == 1_500) {
                nowMs.set((TODAY + 1) * DAY_MS);
            }
            await(writer.append(nowMs.get(), Bodies.notice(i)));
            if (i % 100 == 0) {
                append(ledger, 2);
            }
        }
        assertTrue(all.await(20, TimeUnit.SECONDS), () -> "seen " + seen.size());
        for (int i = 0; i < 3_000; i++) {
            assertEquals(i, seen.get(i));
        }
        await(ledger.drained());
        assertEquals(List.of(TODAY, TODAY + 1), days());
        assertDense(readAll(ledger, stream), 0, 3_000);
        await(ledger.close());
    }

    @Test
    void clockSetBackWithinAProcessRepeatsNoNumber() {
        Ledger ledger = open();
        append(ledger, 1);
        nowMs.addAndGet(DAY_MS);
        append(ledger, 1);
        nowMs.addAndGet(-DAY_MS);
        append(ledger, 1);
        nowMs.addAndGet(DAY_MS);
        StreamId last = append(ledger, 1);
        await(ledger.drained());
        assertDense(readAll(ledger, last), 0, 1);
        await(ledger.close());
    }

    /** A clock is ahead over midnight, is corrected, the server restarts, and then midnight comes. */
    @Test
    void clockSetBackBetweenProcessesRepeatsNoNumber() {
        nowMs.addAndGet(DAY_MS);
        Ledger ahead = open();
        append(ahead, 1);
        await(ahead.close());

        nowMs.addAndGet(-DAY_MS);
        Ledger right = open();
        StreamId today = append(right, 1);
        await(right.drained());
        nowMs.addAndGet(DAY_MS);
        StreamId tomorrow = append(right, 2);
        await(right.drained());
        assertDense(readAll(right, today), 0, 1);
        assertDense(readAll(right, tomorrow), 0, 2);
        await(right.close());
    }
}
