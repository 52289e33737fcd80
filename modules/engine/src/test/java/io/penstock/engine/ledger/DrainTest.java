package io.penstock.engine.ledger;

import static io.penstock.engine.ledger.LedgerTest.readAll;
import static io.penstock.engine.log.FrameLogContract.assertDense;
import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.CutWire;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How the drain survives the loss of its connection, and the effect on others. */
@Tag("EXACTLY_ONCE")
@Tag("long")
class DrainTest {

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    /** The groups still written by the old connection and those sent by the new one end at different records. */
    @Test
    void groupsWrittenByALostConnectionCountAsDrained() {
        PgConnectOptions postgres = TestDatabase.postgres().connectOptions();
        CutWire wire = await(CutWire.to(vertx, postgres));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), wire.options(postgres))
                .withSchema(folder.schema)
                .withJournalSizes(1 << 20, 64 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings));
        append(ledger);
        await(ledger.drained());

        PgConnection blocker = await(PgConnection.connect(vertx, postgres));
        sql(blocker, "BEGIN; LOCK TABLE " + folder.schema + ".stream IN ACCESS EXCLUSIVE MODE");
        StreamId first = append(ledger);
        StreamId second = append(ledger);
        until(() -> blocked(blocker) == 1);
        wire.cut();
        StreamId third = append(ledger);
        until(() -> blocked(blocker) == 2);
        sql(blocker, "ROLLBACK");

        await(ledger.drained());
        assertEquals(0, ledger.health().streamsInUse());
        for (StreamId stream : new StreamId[] {first, second, third}) {
            assertDense(readAll(ledger, stream), 0, 1);
        }
        await(blocker.close());
        await(ledger.close());
    }

    @Test
    void unresponsiveConnectionIsAbandoned() {
        PgConnectOptions postgres = TestDatabase.postgres().connectOptions();
        CutWire wire = await(CutWire.to(vertx, postgres));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), wire.options(postgres))
                .withSchema(folder.schema)
                .withJournalSizes(1 << 20, 64 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings, System::currentTimeMillis, 1_000));
        append(ledger);
        await(ledger.drained());
        wire.mute();
        // The group is written, but its answer is lost.
        append(ledger);
        await(ledger.drained());
        assertEquals(0, ledger.health().streamsInUse());
        wire.cut();
        await(ledger.close());
    }

    private static StreamId append(Ledger ledger) {
        StreamId stream = fresh();
        try (StreamWriter writer = await(ledger.frames().create(stream))) {
            await(writer.append(1, Bodies.notice(0)));
        }
        return stream;
    }

    private static void sql(PgConnection connection, String text) {
        await(connection.query(text).execute());
    }

    /** Statements of this test that wait for the table. */
    private long blocked(PgConnection connection) {
        return await(connection
                        .query("SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = '" + folder.schema
                                + ".stream'::regclass")
                        .execute())
                .iterator()
                .next()
                .getLong("n");
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "did not happen within 20 s");
            Thread.onSpinWait();
        }
    }

    @Test
    void waitersForADrainFailWhenTheLedgerCloses() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        Ledger ledger =
                await(Ledger.open(vertx, LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())));
        postgres.stop();
        append(ledger);
        Future<Void> waiting = ledger.drained();
        await(ledger.close());
        assertFails(FailureCode.LOG_UNAVAILABLE, waiting);
        assertFails(FailureCode.LOG_UNAVAILABLE, ledger.drained());
        TestDatabase.delete(data);
    }

    @Test
    void ledgerIsHealthyWhenPostgresIsBackWithoutAppends() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        Ledger ledger =
                await(Ledger.open(vertx, LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())));
        append(ledger);
        await(ledger.drained());
        postgres.stop();
        until(() -> ledger.health().databaseAway() != null);
        assertNotNull(ledger.health().databaseAway());
        EmbeddedPostgres back = postgres.startAgain();
        until(() -> ledger.health().databaseAway() == null);
        assertTrue(ledger.health().isWell());
        await(ledger.close());
        back.stop();
        TestDatabase.delete(data);
    }

    @Test
    void writerClosedWhileWaitingLeavesNoEntry() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        LedgerSettings settings = LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())
                .withJournalSizes(512 << 10, 1 << 20);
        Ledger ledger = await(Ledger.open(vertx, settings));
        StreamWriter held = await(ledger.frames().create(fresh()));
        StreamWriter filling = await(ledger.frames().create(fresh()));
        await(ledger.drained());
        postgres.stop();
        long sent = 0;
        Future<Frame> last = filling.append(sent, Bodies.notice(sent));
        // At half of its limit, an append may wait for a moment, for the next file.
        while (last.isComplete() || ledger.health().undrainedBytes() < (1 << 20) - (16 << 10)) {
            if (last.isComplete()) {
                await(last);
                sent++;
                last = filling.append(sent, Bodies.notice(sent));
            }
        }
        var waiting = new ArrayList<Future<Frame>>();
        waiting.add(held.append(1, Bodies.notice(1)));
        held.close();
        EmbeddedPostgres back = postgres.startAgain();
        assertFails(FailureCode.INVALID_REQUEST, waiting.getFirst());
        await(last);
        filling.close();
        await(ledger.drained());
        assertEquals(0, ledger.health().streamsInUse());
        await(ledger.close());
        back.stop();
        TestDatabase.delete(data);
    }

    @Test
    void readsAndFollowersGetOverPostgresBeingKilled() throws Exception {
        Path data = TestDatabase.directoryWithData();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        Ledger ledger =
                await(Ledger.open(vertx, LedgerSettings.of(folder.settings().journal(), postgres.connectOptions())));
        StreamId stream = fresh();
        StreamWriter writer = await(ledger.frames().create(stream));
        for (int i = 0; i < 20_000; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        await(ledger.drained());
        var frames = new ArrayList<Frame>();
        for (int kills = 0; kills < 3; kills++) {
            Future<Page> underWay = ledger.frames().read(stream, frames.size(), 1_000);
            ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
            postgres.exited().toCompletableFuture().get(20, TimeUnit.SECONDS);
            // It was answered before, or fails with a clear code.
            underWay.otherwiseEmpty().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            if (underWay.succeeded()) {
                frames.addAll(underWay.result().frames());
            } else {
                assertFails(FailureCode.DATABASE_UNAVAILABLE, underWay);
            }
            postgres = postgres.startAgain();
            frames.addAll(
                    await(ledger.frames().read(stream, frames.size(), 1_000)).frames());
        }
        assertDense(frames, 0, frames.size());
        assertDense(readAll(ledger, stream), 0, 20_000);
        await(ledger.close());
        postgres.stop();
        TestDatabase.delete(data);
    }
}
