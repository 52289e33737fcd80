package io.penstock.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.Limits;
import io.penstock.frames.SessionAcknowledged;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolEnded;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionApiTest {

    private static final Actor ALICE = Actor.user("alice");

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);
    private SessionApi sessions;

    @BeforeEach
    void deploy() {
        sessions = SessionApi.deploy(vertx, log, log, System::currentTimeMillis).await();
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void unknownSessionIsNotFoundAndNotBegun() {
        assertEquals(FailureCode.SESSION_NOT_FOUND, failure(sessions.state("s")));
        assertEquals(FailureCode.SESSION_NOT_FOUND, failure(sessions.acknowledge("s", 0, ALICE)));
        assertEquals(FailureCode.SESSION_NOT_FOUND, failure(sessions.end("s", null, ALICE)));
        assertEquals(FailureCode.SESSION_NOT_FOUND, failure(sessions.mailbox("s", null, 10)));
        assertEquals(FailureCode.INVALID_REQUEST, failure(sessions.state("../s")));
        assertEquals(FailureCode.STREAM_NOT_FOUND, failure(log.nextSeq(StreamId.session("s"))));
    }

    @Test
    void firstTaskStartsTheSession() {
        sessions.record("s", new SessionEvent.TaskStarted("t1", SessionFacts.spec()))
                .await();
        assertEquals(List.of(FrameType.SESSION_STARTED, FrameType.SESSION_TASK_STARTED), types("s"));
        SessionState state = sessions.state("s").await();
        assertEquals(1, state.progress().tasksStarted());
        assertEquals(0, state.progress().waiting());
        assertFalse(state.ended());
    }

    @Test
    void mailboxKeepsItemsInOrderUntilTheyAreAcknowledged() {
        started("s", "t1");
        sessions.record("s", new SessionEvent.WatcherHit("t1", hit("ready"), 4)).await();
        ended("s", "t1");

        Mailbox.Items items = sessions.mailbox("s", null, 10).await();
        assertEquals(
                List.of(FrameType.SESSION_WATCHER_HIT, FrameType.TOOL_ENDED),
                items.items().stream().map(item -> item.body().type()).toList());
        ToolEnded end = (ToolEnded) items.items().getLast().body();
        assertEquals("t1", end.task().id());
        assertEquals(2L, end.durationMs());

        long first = items.items().getFirst().seq();
        assertEquals(
                1, sessions.acknowledge("s", first, ALICE).await().progress().waiting());
        assertEquals(
                items.items().subList(1, 2),
                sessions.mailbox("s", null, 10).await().items());
        assertEquals(
                0,
                sessions.acknowledge("s", items.items().getLast().seq(), ALICE)
                        .await()
                        .progress()
                        .waiting());
        assertTrue(sessions.mailbox("s", null, 10).await().items().isEmpty());
    }

    @Test
    void endOfAnAgentIsAnItemThatSaysItsResult() {
        SessionFacts.agentEnded(sessions, "s", SessionFacts.agent(true, 1, "Found 12 mentions."));
        MailboxItem item =
                new MailboxItem(sessions.mailbox("s", null, 10).await().items().getFirst());
        assertEquals("agent/4", item.key());
        assertEquals(
                "[System Message] Background task \"drokova-research\" completed (2m 34s).\n"
                        + "Summary: Found 12 mentions.\n"
                        + "Use task_join(label: \"drokova-research\") for full results.",
                item.text());
        SessionTaskEnded end = (SessionTaskEnded) item.frame().body();
        assertEquals("Found 12 mentions.", end.result());
    }

    @Test
    void eachRunOfAnAgentEndsOnceInItsSession() {
        for (int run = 1; run <= 2; run++) {
            TaskState last = SessionFacts.agent(true, run, "done");
            SessionFacts.agentEnded(sessions, "s", last);
            SessionFacts.agentEnded(sessions, "s", last);
        }
        List<Frame> items = sessions.mailbox("s", null, 10).await().items();
        assertEquals(
                List.of("agent/4", "agent/9"),
                items.stream().map(item -> new MailboxItem(item).key()).toList());
    }

    @Test
    void quietEndIsNoItem() {
        SessionFacts.agentEnded(sessions, "s", SessionFacts.agent(false, 1, "done"));
        assertEquals(List.of(FrameType.SESSION_STARTED, FrameType.SESSION_TASK_ENDED), types("s"));
        assertEquals(List.of(), sessions.mailbox("s", null, 10).await().items());
        SessionState state = sessions.state("s").await();
        assertEquals(1, state.progress().tasksEnded());
        assertEquals(0, state.progress().waiting());
    }

    @Test
    void pageOfLongResultsEndsEarly() {
        String longest = "x".repeat(Limits.ARGS_BYTES);
        for (int run = 1; run <= 10; run++) {
            SessionFacts.agentEnded(sessions, "s", SessionFacts.agent(true, run, longest));
        }
        Mailbox.Items page = sessions.mailbox("s", null, 50).await();
        assertEquals(8, page.items().size());
        assertEquals(
                2, sessions.mailbox("s", page.nextSeq(), 50).await().items().size());
    }

    @Test
    void acknowledgingAgainOrEarlierChangesNothing() {
        started("s", "t1");
        ended("s", "t1");
        long seq = sessions.mailbox("s", null, 10).await().items().getFirst().seq();
        sessions.acknowledge("s", seq, ALICE).await();
        long nextSeq = sessions.state("s").await().nextSeq();
        sessions.acknowledge("s", seq, ALICE).await();
        sessions.acknowledge("s", 0, ALICE).await();
        assertEquals(nextSeq, sessions.state("s").await().nextSeq());
        assertEquals(FailureCode.INVALID_REQUEST, failure(sessions.acknowledge("s", nextSeq, ALICE)));
    }

    @Test
    void useAfterTheEndStartsTheSessionAgain() {
        sessions.use("s", ALICE).await();
        assertTrue(sessions.end("s", "done", ALICE).await().ended());
        assertTrue(sessions.end("s", "twice", ALICE).await().ended());
        started("s", "t1");
        assertFalse(sessions.state("s").await().ended());
        assertEquals(
                List.of(
                        FrameType.SESSION_STARTED,
                        FrameType.SESSION_ENDED,
                        FrameType.SESSION_STARTED,
                        FrameType.SESSION_TASK_STARTED),
                types("s"));
    }

    @Test
    void streamOfASessionIsReleasedAfterADayWithoutUse() {
        vertx.deploymentIDs().stream().toList().forEach(id -> vertx.undeploy(id).await());
        var clock = new AtomicLong();
        sessions = SessionApi.deploy(vertx, log, log, clock::get).await();
        sessions.use("idle", ALICE).await();
        assertEquals(FailureCode.STREAM_HAS_WRITER, failure(log.open(StreamId.session("idle"))));
        clock.addAndGet(Duration.ofDays(2).toMillis());
        // Each owner is used at least once.
        IntStream.range(0, 32).forEach(i -> sessions.use("s" + i, ALICE).await());
        log.open(StreamId.session("idle")).await().close();
    }

    @Test
    void anotherOwnerContinuesWithTheSameCounters() {
        started("s", "t1");
        ended("s", "t1");
        SessionState before = sessions.state("s").await();
        vertx.deploymentIDs().stream().toList().forEach(id -> vertx.undeploy(id).await());
        sessions = SessionApi.deploy(vertx, log, log, System::currentTimeMillis).await();
        assertEquals(before, sessions.state("s").await());
        started("s", "t2");
        assertEquals(2, sessions.state("s").await().progress().tasksStarted());
    }

    @Test
    void concurrentFactsAreRecordedOnceEach() {
        List<Future<?>> all = IntStream.range(0, 3_000)
                .<Future<?>>mapToObj(
                        i -> sessions.record("s", new SessionEvent.TaskStarted("t" + i, SessionFacts.spec())))
                .toList();
        Future.all(all).await();
        assertEquals(3_000, sessions.state("s").await().progress().tasksStarted());
        assertEquals(3_001, sessions.state("s").await().nextSeq());
    }

    @Test
    void moreSessionsThanAreHeldOpenAreAllCounted() {
        for (int i = 0; i < 3_000; i++) {
            started("s" + i, "t" + i);
        }
        for (int i = 0; i < 3_000; i += 100) {
            assertEquals(1, sessions.state("s" + i).await().progress().tasksStarted());
        }
    }

    @Test
    void acknowledgementCountsOnlyItems() {
        started("s", "t1");
        started("s", "t2");
        ended("s", "t1");
        ended("s", "t2");
        long last = sessions.state("s").await().nextSeq() - 1;
        SessionState after = sessions.acknowledge("s", last, ALICE).await();
        assertEquals(2, after.progress().acknowledged());
        Frame frame =
                log.read(StreamId.session("s"), last + 1, 1).await().frames().getFirst();
        assertEquals(last, ((SessionAcknowledged) frame.body()).throughSeq());
    }

    private void started(String session, String task) {
        SessionFacts.started(sessions, session, task);
    }

    private void ended(String session, String task) {
        SessionFacts.ended(sessions, session, task);
    }

    private List<FrameType> types(String session) {
        return log.read(StreamId.session(session), 0, 100).await().frames().stream()
                .map(frame -> frame.body().type())
                .toList();
    }

    private static FailureCode failure(Future<?> refused) {
        return assertThrows(Failure.class, refused::await).code();
    }

    private static TaskWatcherHit hit(String event) {
        return new TaskWatcherHit("w1", event, Channel.STDOUT, 0, 5, "ready", 3);
    }
}
