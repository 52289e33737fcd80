package io.penstock.engine.log.retention;

import static io.penstock.engine.log.FrameLogContract.assertDense;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.Bodies;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.engine.log.store.RemovalReason;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionEvent;
import io.penstock.engine.session.WebhookEvent;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerRetentionTest {

    private static final Actor ALICE = Actor.user("alice");
    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final int FIRST_DAY = 20_000;
    private static final LedgerLimits TWO_DAYS = new LedgerLimits(Duration.ofDays(2), Long.MAX_VALUE);

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final AtomicLong clock = new AtomicLong(FIRST_DAY * DAY_MS);
    private Ledger ledger;
    private SessionApi sessions;
    private Database database;

    @BeforeEach
    void open() {
        ledger = await(Ledger.open(vertx, folder.settings(), clock::get));
        sessions = await(SessionApi.deploy(vertx, ledger.frames(), ledger.sessions(), clock::get));
        database = TestDatabase.open(vertx, folder.schema);
    }

    @AfterEach
    void close() {
        await(database.close());
        await(ledger.close());
        await(vertx.close());
        folder.close();
    }

    @Test
    void whatIsTooOldIsGoneAndSaysWhenAndWhy() {
        for (int day = 0; day < 4; day++) {
            atDay(day);
            ended("old-" + day, null);
        }
        atDay(4);
        Removal done = only(run(TWO_DAYS));
        assertEquals(2, done.tasks());
        assertEquals(RemovalReason.AGE, done.reason());
        assertTrue(done.bytes() > 0);

        Failure gone = failure(FailureCode.TASK_GONE, ledger.frames().read(StreamId.task("old-1"), 0, 9));
        assertEquals("The task old-1 was removed on 2024-10-08, because tasks are kept for 2 days", gone.getMessage());
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("old-0")));
        failure(FailureCode.STREAM_NOT_FOUND, ledger.frames().nextSeq(StreamId.task("never-was")));
        assertEquals(List.of("old-3", "old-2"), list(null));
        assertEquals(List.of("frame_d20002", "frame_d20003"), partitions());
        assertEquals(List.of(), run(TWO_DAYS).removals());
        assertEquals(List.of(done), await(ledger.retention().newest(5)));
        assertEquals(Set.of("old-1"), ledger.retention().removed(List.of("old-1", "old-2", "never-was")));
    }

    @Test
    void cursorIntoRemovedDaysListsWhatStays() {
        for (int day = 0; day < 4; day++) {
            atDay(day);
            ended("t" + day, null);
        }
        pin("t0", true);
        List<TaskRow> all = await(ledger.tasks().list(query(null))).rows();
        var cursor = new TaskCursor(all.get(2).streamNo());
        assertEquals("t1", all.get(2).taskId());
        atDay(9);
        run(TWO_DAYS);
        assertEquals(List.of("t0"), list(cursor));
    }

    @Test
    void runningPinnedAndNewlyEndedTasksStayInOnePartition() {
        atDay(0);
        StreamWriter running = begun("running", null);
        StreamWriter longRunning = begun("long", null);
        ended("pinned", null);
        ended("gone", null);
        atDay(1);
        ended("pinned-too", null);
        ended("gone-too", null);
        pin("pinned", true);
        pin("pinned-too", true);
        atDay(5);
        end(longRunning, "long", null);
        atDay(6);
        run(TWO_DAYS);
        assertEquals(
                List.of("long", "pinned", "pinned-too", "running"),
                list(null).stream().sorted().toList());
        assertEquals(List.of("frame_k20004_1"), partitions());
        assertEquals(List.of(0L, 1L, 2L, 3L), seqs("pinned"));
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("gone-too")));

        await(running.append(clock.get(), Bodies.notice(1)));
        await(ledger.drained());
        assertEquals(List.of(0L, 1L, 2L), seqs("running"));
        running.close();

        pin("pinned", false);
        atDay(9);
        run(TWO_DAYS);
        assertEquals(
                List.of("pinned-too", "running"), list(null).stream().sorted().toList());
        assertEquals(1, partitions().size());
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("pinned")));
    }

    @Test
    void undeliveredItemsKeepTheirTasksWhileTheMailboxIsRead() {
        atDay(0);
        ended("delivered", "s");
        long first = await(sessions.mailbox("s", null, 9)).items().getFirst().seq();
        ended("undelivered", "s");
        ended("unread", "nobody-reads");
        atDay(4);
        await(sessions.acknowledge("s", first, ALICE));
        atDay(5);
        restartSessions();
        run(TWO_DAYS);
        assertEquals(List.of("undelivered"), list(null));
        assertEquals(1, await(sessions.state("s")).progress().waiting());
        failure(FailureCode.SESSION_GONE, sessions.state("nobody-reads"));

        // Nobody has read it for longer than tasks are kept.
        atDay(8);
        restartSessions();
        run(TWO_DAYS);
        assertEquals(List.of(), list(null));
        failure(FailureCode.SESSION_GONE, sessions.mailbox("s", null, 9));
    }

    @Test
    void heldTasksAndItemsForAWebhookStay() {
        atDay(0);
        ended("held", null);
        ended("to-deliver", "hooked");
        ended("gone", null);
        await(sessions.record("hooked", new WebhookEvent.Set("https://example.org", "rule", ALICE)));
        atDay(9);
        restartSessions();
        ledger.retention().run(TWO_DAYS, () -> Set.of("held"));
        assertEquals(List.of("to-deliver", "held"), list(null));
        assertEquals(1, await(sessions.state("hooked")).progress().waiting());
    }

    @Test
    void nameOfARemovedSessionBeginsAnew() {
        atDay(0);
        ended("t", "cli");
        atDay(9);
        restartSessions();
        assertEquals(1, only(run(TWO_DAYS)).sessions());
        failure(FailureCode.SESSION_GONE, sessions.state("cli"));
        ended("t2", "cli");
        assertEquals(1, await(sessions.state("cli")).progress().tasksStarted());
    }

    @Test
    void followersOfARemovedStreamEndWithTheReason() throws Exception {
        atDay(0);
        ended("t", null);
        var reached = new CompletableFuture<Frame>();
        var failed = new CompletableFuture<Throwable>();
        ledger.frames()
                .follow(StreamId.task("t"), 0)
                .exceptionHandler(failed::complete)
                .handler(frame -> {
                    if (frame.seq() == 2) {
                        reached.complete(frame);
                    }
                });
        reached.get(10, TimeUnit.SECONDS);
        atDay(9);
        run(TWO_DAYS);
        Throwable why = failed.get(10, TimeUnit.SECONDS);
        assertEquals(FailureCode.TASK_GONE, ((Failure) why).code());
    }

    @Test
    void writersContinueWhileTheirDayIsRemoved() throws Exception {
        atDay(0);
        StreamWriter writer = await(ledger.frames().create(StreamId.task("busy")));
        var appended = new AtomicLong();
        var enough = new CompletableFuture<Void>();
        Thread appending = Thread.ofPlatform().start(() -> {
            while (!enough.isDone()) {
                await(writer.append(clock.get(), Bodies.notice(appended.getAndIncrement())));
                if (appended.get() % 50 == 0) {
                    await(ledger.drained());
                }
            }
        });
        try {
            for (int day = 1; day < 6; day++) {
                atDay(day);
                ended("t" + day, null);
                run(new LedgerLimits(Duration.ofDays(1), Long.MAX_VALUE));
            }
        } finally {
            enough.complete(null);
            appending.join();
        }
        await(ledger.drained());
        writer.close();
        var frames = new ArrayList<Frame>();
        while (frames.size() < appended.get()) {
            frames.addAll(await(ledger.frames().read(StreamId.task("busy"), frames.size(), 1_000))
                    .frames());
        }
        assertDense(frames, 0, (int) appended.get());
    }

    @Test
    void largeLedgerLosesItsOldestDays() {
        for (int day = 0; day < 6; day++) {
            atDay(day);
            for (int i = 0; i < 40; i++) {
                ended("t" + day + "-" + i, null);
            }
        }
        await(ledger.drained());
        long before = run(LedgerLimits.FOREVER).bytes();
        var limits = new LedgerLimits(Duration.ofDays(365), before * 2 / 3);
        LedgerRetention.Outcome outcome = run(limits);
        assertTrue(outcome.bytes() <= limits.bytes(), outcome.bytes() + " of " + limits.bytes());
        assertTrue(
                list(null).size() >= 80, "not more than needed: " + list(null).size());
        assertEquals(RemovalReason.SIZE, outcome.removals().getFirst().reason());
        Failure gone = failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("t0-0")));
        assertTrue(
                String.valueOf(gone.getMessage()).contains("because the ledger had grown beyond"), gone.getMessage());

        run(new LedgerLimits(Duration.ofDays(365), 0));
        assertEquals(40, list(null).size(), "the current day stays");
    }

    @Test
    void removalThatCannotBeDoneChangesNothing() {
        atDay(0);
        ended("t", "cli");
        pin("t", true);
        ended("t2", "cli");
        atDay(9);
        restartSessions();
        PgConnection reading = await(database.connect(1));
        var transaction = await(reading.begin());
        await(reading.query("SELECT count(*) FROM frame").execute());
        assertThrows(RuntimeException.class, () -> run(TWO_DAYS));
        assertEquals(List.of("t2", "t"), list(null));
        assertEquals(2, await(sessions.state("cli")).progress().tasksStarted());
        restartSessions();
        await(transaction.commit());
        await(reading.close());
        assertEquals(1, only(run(TWO_DAYS)).tasks());
        assertEquals(List.of("t"), list(null));
    }

    @Test
    void removalThatPostgresBreaksOffIsRepeated() throws Exception {
        atDay(0);
        IntStream.range(0, 20).forEach(i -> ended("t" + i, "cli"));
        pin("t7", true);
        atDay(9);
        restartSessions();
        PgConnection reading = await(database.connect(1));
        var transaction = await(reading.begin());
        await(reading.query("SELECT count(*) FROM frame").execute());
        var removal = CompletableFuture.supplyAsync(() -> run(TWO_DAYS));
        boolean broken = false;
        // Or the removal has given up waiting for the lock, which breaks it off, too.
        while (!broken && !removal.isDone()) {
            broken = await(database.pool()
                                    .query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                            + " WHERE query LIKE '%LOCK TABLE ONLY frame%' AND pid <> pg_backend_pid()")
                                    .execute())
                            .size()
                    > 0;
        }
        assertThrows(Exception.class, () -> removal.get(20, TimeUnit.SECONDS));
        await(transaction.commit());
        await(reading.close());
        assertEquals(20, list(null).size());
        assertEquals(19, only(run(TWO_DAYS)).tasks());
        assertEquals(List.of("t7"), list(null));
    }

    @Test
    void removedIdsAreForgottenAfterAYear() {
        atDay(0);
        ended("t", null);
        atDay(9);
        run(TWO_DAYS);
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("t")));
        atDay(10);
        ended("other", null);
        atDay(380);
        run(TWO_DAYS);
        failure(FailureCode.STREAM_NOT_FOUND, ledger.frames().nextSeq(StreamId.task("t")));
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("other")));
    }

    @Test
    void laterServerHasTheSameStreams() {
        atDay(0);
        ended("gone", null);
        ended("kept", null);
        pin("kept", true);
        atDay(9);
        run(TWO_DAYS);
        await(ledger.close());
        // The clock was set back: the day that was removed is today again.
        atDay(0);
        ledger = await(Ledger.open(vertx, folder.settings(), clock::get));
        ended("again", null);
        await(ledger.drained());
        assertEquals(List.of("again", "kept"), list(null));
        failure(FailureCode.TASK_GONE, ledger.frames().nextSeq(StreamId.task("gone")));
    }

    private void atDay(int day) {
        clock.set((FIRST_DAY + day) * DAY_MS + 3_600_000);
    }

    private LedgerRetention.Outcome run(LedgerLimits limits) {
        await(ledger.drained());
        return ledger.retention().run(limits, LedgerHolds.NONE);
    }

    private static Failure failure(FailureCode code, Future<?> future) {
        Failure failure = assertThrows(Failure.class, () -> await(future));
        assertEquals(code, failure.code(), failure.getMessage());
        return failure;
    }

    private static Removal only(LedgerRetention.Outcome outcome) {
        assertEquals(1, outcome.removals().size());
        return outcome.removals().getFirst();
    }

    private List<String> list(@Nullable TaskCursor after) {
        return await(ledger.tasks().list(query(after))).rows().stream()
                .map(TaskRow::taskId)
                .toList();
    }

    private static TaskQuery query(@Nullable TaskCursor after) {
        return new TaskQuery(null, null, null, null, 200, after);
    }

    private List<Long> seqs(String task) {
        return await(ledger.frames().read(StreamId.task(task), 0, 100)).frames().stream()
                .map(Frame::seq)
                .toList();
    }

    private List<String> partitions() {
        return FramePartition.all(database.pool()).stream()
                .map(FramePartition::name)
                .toList();
    }

    /** Its owner keeps a session open; another server's does not. */
    private void restartSessions() {
        vertx.deploymentIDs().stream().toList().forEach(id -> await(vertx.undeploy(id)));
        sessions = await(SessionApi.deploy(vertx, ledger.frames(), ledger.sessions(), clock::get));
        await(ledger.drained());
    }

    private StreamWriter begun(String id, @Nullable String session) {
        ToolTaskSpawned spec = spec(id, session);
        StreamWriter writer = await(ledger.frames().create(StreamId.task(id)));
        await(writer.append(clock.get(), spec));
        if (session != null) {
            await(sessions.record(session, new SessionEvent.TaskStarted(id, spec)));
        }
        await(writer.append(clock.get(), ToolTaskStatus.running(clock.get())));
        return writer;
    }

    private void ended(String id, @Nullable String session) {
        end(begun(id, session), id, session);
    }

    private void end(StreamWriter writer, String id, @Nullable String session) {
        long now = clock.get();
        var frames = new ArrayList<>(
                await(ledger.frames().read(StreamId.task(id), 0, 100)).frames());
        Long started = TaskState.fold(frames).run().startedAtMs();
        frames.add(await(writer.append(
                now,
                new ToolTaskStatus(
                        Phase.ENDED,
                        new Ending(Outcome.SUCCEEDED, 0, null),
                        started,
                        now,
                        List.of(),
                        null,
                        null,
                        Cause.EXIT,
                        Actor.REAPER))));
        writer.close();
        if (session != null) {
            await(sessions.record(session, new SessionEvent.TaskEnded(id, TaskState.fold(frames))));
        }
    }

    private void pin(String id, boolean pinned) {
        StreamWriter writer = await(ledger.frames().open(StreamId.task(id)));
        await(writer.append(clock.get(), new TaskPinned(pinned, ALICE)));
        writer.close();
    }

    private static ToolTaskSpawned spec(String id, @Nullable String session) {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"true\"}"),
                null,
                "title of " + id,
                ExecutionMode.PTY,
                session,
                List.of(new LogRef(Channel.PTY, id + ".pty", "artifacts/" + id)),
                null,
                null,
                Actor.user("tester"));
    }
}
