package io.penstock.engine.bus;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.SessionState;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolEnded;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSignalled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The event bus as JVM programs use it: ordinary verticles in the engine's Vert.x, with the whole engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventBusTest {

    private static final Actor ME = Actor.user("verticle");

    private final Path folder = TestDatabase.directory();
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    private final Engine engine = started();

    private Engine started() {
        var log = new LogSettings(folder, Path.of("/tmp/penstock-test-cache"), null, new Fsync.Never());
        return await(Engine.start(vertx, new EngineSettings(log, folder).withTaskUsage(false)));
    }

    @BeforeAll
    void isThere() {
        assertTrue(vertx.isNativeTransportEnabled());
    }

    @AfterAll
    void stop() {
        await(engine.stop());
        await(vertx.close());
        TestDatabase.delete(folder);
    }

    @Test
    void commandsStateAndListWork() {
        String task =
                spawn("trap 'echo got; exit 7' USR1; echo ready; while :; do sleep 0.05; done", ExecutionMode.PTY);
        until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        TaskState running = ask(BusAddresses.STATE, task);
        assertTrue(running.phase().isLive());
        ask(BusAddresses.CONTROL, new TaskCommand.Signal(task, "USR1", ME));
        List<Frame> frames = until(task, EventBusTest::isEnd);
        assertTrue(frames.stream().anyMatch(frame -> frame.body() instanceof ToolTaskSignalled));
        TaskState ended = ask(BusAddresses.STATE, task);
        assertEquals(TaskState.fold(frames), ended);
        TaskPage page = ask(BusAddresses.LIST, new TaskQuery(null, new TaskLabel("on-the-bus"), null, null, 200, null));
        assertTrue(page.tasks().stream().anyMatch(view -> view.taskId().equals(task)));

        String terminal = spawn("stty -echo; echo ready; read x; stty size; read y", ExecutionMode.PTY);
        until(terminal, frame -> frame.body() instanceof ToolTaskOutputDelta);
        ask(BusAddresses.CONTROL, new TaskCommand.Resize(terminal, new TerminalSize(40, 132), ME));
        ask(BusAddresses.CONTROL, new TaskCommand.WriteInput(terminal, new byte[] {'x', '\n'}, ME));
        ask(BusAddresses.CONTROL, new TaskCommand.Watch(terminal, new WatchSpec("ready", "it is"), 0L, ME));
        ask(BusAddresses.CONTROL, new TaskCommand.Pin(terminal, true, ME));
        ask(BusAddresses.CONTROL, new TaskCommand.Cancel(terminal, "enough", ME));
        assertTrue(until(terminal, EventBusTest::isEnd).stream()
                .anyMatch(frame -> frame.body() instanceof TaskWatcherHit));
        ask(BusAddresses.CONTROL, new TaskCommand.Pin(terminal, false, ME));
        TaskState unpinned = ask(BusAddresses.STATE, terminal);
        assertFalse(unpinned.pinned());
    }

    @Test
    void lateFollowerGetsHistoryAndLiveWithoutAGap() {
        String task = spawn("for i in 1 2 3 4 5; do echo $i; sleep 0.02; done; read x; seq 1 3000", ExecutionMode.PTY);
        until(task, frame -> frame.body() instanceof ToolTaskOutputDelta delta && delta.offset() + delta.bytes() >= 15);
        var late = new Follower(vertx, task, 3L);
        ask(BusAddresses.CONTROL, new TaskCommand.WriteInput(task, new byte[] {'\n'}, ME));
        List<Frame> seen = late.toTheEnd();
        assertEquals(
                LongStream.range(3, 3 + seen.size()).boxed().toList(),
                seen.stream().map(Frame::seq).toList());
        List<Frame> all = until(task, EventBusTest::isEnd);
        assertEquals(all.subList(3, all.size()), seen);
    }

    @Test
    void slowFollowerDelaysOnlyItselfAndMissesNothing() {
        String task = spawn("seq 1 200000");
        var slow = new Follower(vertx, task, 0L);
        slow.pauseReplies();
        var quick = new Follower(vertx, task, 0L);
        List<Frame> seen = quick.toTheEnd();
        slow.letGo();
        assertEquals(seen, slow.toTheEnd());
    }

    @Test
    void framesArePublishedInOrderPerTaskAndForAll() throws InterruptedException {
        // Includes tasks of other tests, which may end at any time.
        var endsOfAll = new LinkedBlockingQueue<String>();
        FrameSubscription all = await(FrameSubscription.toAll(vertx, frame -> {
            if (isEnd(frame)) {
                endsOfAll.add(frame.stream().id());
            }
        }));
        String task = spawn("echo ready; read x; seq 1 100; sleep 0.01; echo end", ExecutionMode.PTY);
        until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        var frames = new ArrayList<Frame>();
        Promise<Void> ended = Promise.promise();
        FrameSubscription ofTask = await(FrameSubscription.toTask(vertx, task, frame -> {
            frames.add(frame);
            if (isEnd(frame)) {
                ended.complete();
            }
        }));
        ask(BusAddresses.CONTROL, new TaskCommand.WriteInput(task, new byte[] {'\n'}, ME));
        await(ended.future());
        long first = frames.getFirst().seq();
        assertEquals(
                LongStream.range(first, first + frames.size()).boxed().toList(),
                frames.stream().map(Frame::seq).toList());
        String heard = endsOfAll.poll(30, TimeUnit.SECONDS);
        while (heard != null && !heard.equals(task)) {
            heard = endsOfAll.poll(30, TimeUnit.SECONDS);
        }
        assertEquals(task, heard);
        await(all.cancel());
        await(ofTask.cancel());
        await(ofTask.cancel());
        assertTrue(FrameSubscription.Listeners.of(vertx).none());
    }

    @Test
    void refusalHasACodeAndASentence() {
        assertRefused(FailureCode.TASK_NOT_FOUND, BusAddresses.STATE, "none");
        assertRefused(FailureCode.TASK_NOT_FOUND, BusAddresses.FOLLOW, new FollowFrames("none", 0L, "x", true));
        assertRefused(FailureCode.TASK_NOT_FOUND, BusAddresses.CONTROL, new TaskCommand.Cancel("none", null, ME));
        assertRefused(FailureCode.INVALID_REQUEST, BusAddresses.STATE, 5);
        assertRefused(FailureCode.INVALID_REQUEST, BusAddresses.SPAWN, "ls");
        assertRefused(FailureCode.INVALID_REQUEST, BusAddresses.CONTROL, "kill it");
        String task = spawn("true");
        until(task, EventBusTest::isEnd);
        assertRefused(FailureCode.TASK_NOT_READY, BusAddresses.CONTROL, new TaskCommand.Signal(task, "TERM", ME));
        assertRefused(FailureCode.INVALID_REQUEST, BusAddresses.FOLLOW, new FollowFrames(task, 1000L, "x", true));
    }

    @Test
    void secondEngineInTheSameVertxIsRefused() {
        var refused = assertThrows(IllegalStateException.class, this::started);
        assertTrue(String.valueOf(refused.getMessage()).contains("its own Vert.x"));
    }

    private void assertRefused(FailureCode code, String address, Object request) {
        var e = assertThrows(ReplyException.class, () -> ask(address, request));
        assertEquals(code, ((Refusal) e).code(), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).length() > 20, e.getMessage());
    }

    private String spawn(String command) {
        return spawn(command, ExecutionMode.PIPES);
    }

    private String spawn(String command, ExecutionMode mode) {
        return ask(
                BusAddresses.SPAWN,
                TaskRequest.builder("bash", List.of("/bin/bash", "-c", command), ME)
                        .label(new TaskLabel("on-the-bus"))
                        .mode(mode)
                        .timeout(Duration.ofSeconds(60))
                        .build());
    }

    private <T> T ask(String address, Object request) {
        Future<Message<T>> answer = vertx.eventBus().request(address, request);
        return await(answer.map(Message::body));
    }

    private List<Frame> until(String task, Predicate<Frame> last) {
        return new Follower(vertx, task, 0L).until(last);
    }

    static boolean isEnd(Frame frame) {
        return frame.body() instanceof ToolTaskStatus status && status.ending() != null;
    }

    @Test
    void mailboxIsReadAndAcknowledgedOnTheBus() {
        String task = await(engine.tasks()
                .spawn(TaskRequest.builder("exec", List.of("true"), ME)
                        .originSessionId("bus")
                        .build()));
        FrameFollower session = engine.sessions().follow("bus", 0);
        Promise<Frame> end = Promise.promise();
        session.handler(frame -> {
            if (frame.body() instanceof ToolEnded) {
                end.tryComplete(frame);
            }
        });
        Frame ended = await(end.future());

        Mailbox.Items items = this.<Mailbox.Items>ask(BusAddresses.MAILBOX, new ReadMailbox("bus", null, 10));
        assertEquals(List.of(ended), items.items());
        assertEquals(task, ((ToolEnded) ended.body()).task().id());
        SessionState after =
                this.<SessionState>ask(BusAddresses.ACKNOWLEDGE, new AcknowledgeMailbox("bus", ended.seq(), ME));
        assertEquals(0, after.progress().waiting());
        assertEquals(after, this.<SessionState>ask(BusAddresses.SESSION, "bus"));
        assertRefused(FailureCode.SESSION_NOT_FOUND, BusAddresses.SESSION, "none");
        session.cancel();
    }
}
