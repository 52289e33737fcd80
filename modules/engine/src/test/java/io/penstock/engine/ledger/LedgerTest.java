package io.penstock.engine.ledger;

import static io.penstock.engine.log.FrameLogContract.assertDense;
import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Behaviour across processes, and while Postgres is unavailable. */
@Tag("long")
class LedgerTest {

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    @Test
    void streamContinuesWhereTheLastProcessLeftIt() {
        StreamId stream = fresh();
        Ledger first = folder.open(vertx);
        StreamWriter writer = await(first.frames().create(stream));
        for (int i = 0; i < 1_500; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        await(first.close());

        Ledger second = folder.open(vertx);
        assertDense(readAll(second, stream), 0, 1_500);
        StreamWriter next = await(second.frames().open(stream));
        assertEquals(1_500, next.nextSeq());
        await(next.append(1, Bodies.notice(1_500)));
        assertDense(readAll(second, stream), 0, 1_501);
        await(second.close());
    }

    @Test
    void aClosedLogRefusesAndEndsItsFollowers() throws Exception {
        Ledger ledger = folder.open(vertx);
        StreamId stream = fresh();
        StreamWriter writer = await(ledger.frames().create(stream));
        var ended = new CountDownLatch(1);
        ledger.frames().follow(stream, 0).endHandler(v -> ended.countDown()).handler(f -> {});
        await(ledger.close());
        assertTrue(ended.await(10, TimeUnit.SECONDS));
        assertFails(FailureCode.LOG_UNAVAILABLE, writer.append(1, Bodies.notice(0)));
        assertFails(FailureCode.LOG_UNAVAILABLE, ledger.frames().open(stream));
        assertFails(FailureCode.LOG_UNAVAILABLE, ledger.frames().read(stream, 0, 1));
    }

    @Test
    void drainedCompletesWhileOthersAppend() throws Exception {
        Ledger ledger = folder.open(vertx);
        StreamWriter writer = await(ledger.frames().create(fresh()));
        var enough = new AtomicBoolean();
        Thread appending = Thread.ofPlatform().start(() -> {
            for (int i = 0; !enough.get(); i++) {
                await(writer.append(i, Bodies.notice(i)));
                while (ledger.health().undrainedBytes() > 100_000 && !enough.get()) {
                    Thread.onSpinWait();
                }
            }
        });
        try {
            for (int i = 0; i < 20; i++) {
                await(ledger.drained());
            }
        } finally {
            enough.set(true);
            appending.join();
        }
        await(ledger.close());
        assertFails(FailureCode.LOG_UNAVAILABLE, ledger.drained());
    }

    @Test
    void followerOfAClosedLogIsEnded() throws Exception {
        Ledger ledger = folder.open(vertx);
        await(ledger.close());
        var ended = new CountDownLatch(1);
        ledger.frames().follow(fresh(), 0).endHandler(v -> ended.countDown()).handler(f -> {});
        assertTrue(ended.await(10, TimeUnit.SECONDS));
    }

    @Test
    void existingNameIsRefusedAndBlocksNoOtherStream() {
        Ledger ledger = folder.open(vertx);
        StreamId taken = fresh();
        try (StreamWriter first = await(ledger.frames().create(taken))) {
            await(first.append(1, Bodies.notice(0)));
        }
        await(ledger.drained());

        StreamWriter second = await(ledger.frames().create(taken));
        await(second.append(2, Bodies.notice(55)));
        StreamWriter other = await(ledger.frames().create(fresh()));
        await(other.append(3, Bodies.notice(0)));
        await(ledger.drained());
        assertFails(FailureCode.WRITER_FENCED, second.append(4, Bodies.notice(56)));
        assertDense(readAll(ledger, taken), 0, 1);
        assertDense(readAll(ledger, other.stream()), 0, 1);
        await(ledger.close());

        Ledger again = folder.open(vertx);
        assertDense(readAll(again, taken), 0, 1);
        assertEquals(1, await(again.frames().open(taken)).nextSeq());
        await(again.close());
    }

    @Test
    void twoLedgersCannotShareAJournal() {
        Ledger ledger = folder.open(vertx);
        assertThrows(JournalUnavailable.class, () -> folder.open(vertx));
        StreamWriter writer = await(ledger.frames().create(fresh()));
        assertEquals(0, await(writer.append(1, Bodies.notice(0))).seq());
        await(ledger.drained());
        await(ledger.close());
    }

    @Test
    void aCopiedJournalFencesTheOneItWasCopiedFrom() throws IOException {
        Ledger original = folder.open(vertx);
        StreamId stream = fresh();
        StreamWriter writer = await(original.frames().create(stream));
        await(writer.append(0, Bodies.notice(0)));
        await(original.drained());
        Path copy = folder.folder.resolve("copy");
        Files.createDirectories(copy);
        // Without a segment that is being prepared meanwhile.
        for (String file : names(folder.settings().journal())) {
            Files.copy(folder.settings().journal().resolve(file), copy.resolve(file));
        }
        Ledger taker = await(Ledger.open(
                vertx,
                LedgerSettings.of(copy, TestDatabase.postgres().connectOptions())
                        .withSchema(folder.schema)
                        .withJournalSizes(1 << 20, 64 << 20)));
        StreamWriter next = await(taker.frames().open(stream));
        assertEquals(1, await(next.append(1, Bodies.notice(1))).seq());
        await(taker.drained());

        // It learns of it at once, although it has nothing to send.
        while (original.health().broken() == null) {
            Thread.onSpinWait();
        }
        assertFails(FailureCode.NODE_FENCED, writer.append(2, Bodies.notice(77)));
        Failure fenced = assertThrows(Failure.class, () -> await(original.drained()));
        assertEquals(FailureCode.NODE_FENCED, fenced.code());
        assertFails(FailureCode.NODE_FENCED, writer.append(3, Bodies.notice(78)));
        assertDense(readAll(taker, stream), 0, 2);
        await(original.close());
        await(taker.close());
    }

    @Test
    void foreignDatabaseIsRefusedAndNothingIsChanged() throws IOException {
        Ledger ledger = folder.open(vertx);
        StreamWriter writer = await(ledger.frames().create(fresh()));
        // More than a segment, so that the first files are deleted.
        for (int i = 0; i < 40_000; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        await(ledger.drained());
        await(ledger.close());
        List<String> before = names(folder.settings().journal());

        LedgerSettings elsewhere = folder.settings().withSchema(TestDatabase.freshSchema());
        Throwable refused = assertThrows(Throwable.class, () -> await(Ledger.open(vertx, elsewhere)));
        assertTrue(String.valueOf(refused.getMessage()).contains("belongs to this journal"), refused::getMessage);
        // The last is a segment prepared ahead, which is empty.
        assertEquals(before.getFirst(), names(folder.settings().journal()).getFirst());
        Ledger again = folder.open(vertx);
        assertDense(readAll(again, writer.stream()), 0, 40_000);
        await(again.close());
    }

    @Test
    void appendsContinueDuringAnOutageAndDrainInOrderAfter() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())
                .withJournalSizes(1 << 20, 8 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings));
        StreamId stream = fresh();
        StreamWriter writer = await(ledger.frames().create(stream));
        await(writer.append(0, Bodies.notice(0)));
        StreamId past = fresh();
        try (StreamWriter ended = await(ledger.frames().create(past))) {
            await(ended.append(0, Bodies.notice(0)));
        }
        await(ledger.drained());
        postgres.stop();

        for (int i = 1; i < 5_000; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        // This includes a new stream whose name is known to be new; undrained frames are readable.
        StreamWriter other = await(ledger.frames().create(fresh()));
        await(other.append(0, Bodies.notice(0)));
        assertDense(await(ledger.frames().read(stream, 1, 1_000)).frames(), 1, 1_001);
        // A drained frame is still in the journal, and read from there while its stream has a writer.
        assertDense(await(ledger.frames().read(stream, 0, 1)).frames(), 0, 1);
        assertFails(FailureCode.DATABASE_UNAVAILABLE, ledger.frames().read(past, 0, 1));
        assertFails(FailureCode.DATABASE_UNAVAILABLE, ledger.frames().open(fresh()));
        assertFalse(ledger.health().isWell());
        // A follower of frames that only Postgres has waits for it, and reports the outage.
        var waits = new CompletableFuture<Throwable>();
        var pastRead = new CompletableFuture<Frame>();
        ledger.frames()
                .follow(past, 0)
                .outageHandler((why, forMs) -> waits.complete(why))
                .handler(pastRead::complete);
        assertInstanceOf(Failure.class, waits.get(20, TimeUnit.SECONDS));
        assertFalse(pastRead.isDone());
        var followed = new ArrayList<Frame>();
        var all = new CompletableFuture<Void>();
        ledger.frames()
                .follow(stream, 0)
                .exceptionHandler(all::completeExceptionally)
                .handler(frame -> {
                    followed.add(frame);
                    if (followed.size() == 5_000) {
                        all.complete(null);
                    }
                });

        EmbeddedPostgres back = postgres.startAgain();
        await(ledger.drained());
        assertEquals(0, pastRead.get(20, TimeUnit.SECONDS).seq());
        all.get(20, TimeUnit.SECONDS);
        assertDense(followed, 0, 5_000);
        assertDense(readAll(ledger, stream), 0, 5_000);
        assertNull(ledger.health().databaseAway());
        await(ledger.close());
        back.stop();
        TestDatabase.delete(data);
    }

    @Test
    void callersWaitAtTheLimitAndResumeInOrder() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())
                .withJournalSizes(512 << 10, 1 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings));
        StreamId stream = fresh();
        StreamWriter writer = await(ledger.frames().create(stream));
        await(ledger.drained());
        postgres.stop();

        // Appends wait for a release only at the limit of 1 MiB: at half of it, they may wait a moment for the next
        // file.
        var waiting = new ArrayList<Future<Frame>>();
        long sent = 0;
        boolean full = false;
        while (!full) {
            Future<Frame> append = writer.append(sent, Bodies.notice(sent));
            if (append.failed()) {
                assertFails(FailureCode.LOG_BACKLOGGED, append);
                full = ledger.health().undrainedBytes() > (1 << 20) - (16 << 10);
            } else {
                sent++;
                waiting.add(append);
            }
        }
        assertEquals(64, ledger.health().waitingWrites());
        assertEquals(sent, writer.nextSeq());

        EmbeddedPostgres back = postgres.startAgain();
        await(Future.all(waiting));
        assertEquals(sent - 1, await(waiting.getLast()).seq());
        await(writer.append(sent, Bodies.notice(sent)));
        await(ledger.drained());
        assertDense(readAll(ledger, stream), 0, sent + 1);
        await(ledger.close());
        back.stop();
        TestDatabase.delete(data);
    }

    @Test
    void aQuietStreamLeavesNoEntryBehind() {
        Ledger ledger = folder.open(vertx);
        var streams = new ArrayList<StreamId>();
        for (int i = 0; i < 500; i++) {
            StreamId stream = fresh();
            streams.add(stream);
            try (StreamWriter writer = await(ledger.frames().create(stream))) {
                await(writer.append(1, Bodies.notice(0)));
            }
        }
        await(ledger.drained());
        assertEquals(0, ledger.health().streamsInUse());
        assertDense(readAll(ledger, streams.get(250)), 0, 1);
        await(ledger.close());
    }

    static List<Frame> readAll(Ledger ledger, StreamId stream) {
        var frames = new ArrayList<Frame>();
        Page page;
        do {
            page = await(ledger.frames().read(stream, frames.size(), 1_000));
            frames.addAll(page.frames());
        } while (!page.frames().isEmpty());
        return frames;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }
}
