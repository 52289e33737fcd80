package io.penstock.engine.sink;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sinks of an embedding program, of which one throws and one blocks, with a whole engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SinksTest {

    private final Path folder = TestDatabase.directory();
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final BlockingQueue<ExecEventSink.Event<?>> told = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final BlockingQueue<Long> missed = new LinkedBlockingQueue<>();
    private final Engine engine = started();

    private Engine started() {
        var log = new LogSettings(folder, Path.of("/tmp/penstock-test-cache"), null, new Fsync.Never());
        var settings = new EngineSettings(log, folder)
                .withSinks(List.of(new Throwing(), new Blocked(), new Recording()))
                .withTaskUsage(false);
        return await(Engine.start(vertx, settings));
    }

    @AfterAll
    void stop() {
        released.countDown();
        await(engine.stop());
        await(vertx.close());
        TestDatabase.delete(folder);
    }

    private static final class Throwing implements ExecEventSink {
        @Override
        public void statusChanged(Event<ToolTaskStatus> event) {
            throw new IllegalStateException("thrown by a sink");
        }
    }

    private final class Blocked implements ExecEventSink {
        @Override
        public void watcherHit(Event<TaskWatcherHit> event) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void missed(long events) {
            missed.add(events);
        }
    }

    private final class Recording implements ExecEventSink {
        @Override
        public void statusChanged(Event<ToolTaskStatus> event) {
            told.add(event);
        }

        @Override
        public void watcherHit(Event<TaskWatcherHit> event) {
            told.add(event);
        }

        @Override
        public void output(Event<ToolTaskOutputDelta> event) {
            told.add(event);
        }
    }

    private String spawn(String command, String regex) {
        TaskApi tasks = engine.tasks();
        return await(tasks.spawn(TaskRequest.builder("bash", List.of("/bin/bash", "-c", command), Actor.user("tester"))
                .originSessionId("s")
                .watch(List.of(new WatchSpec(regex, "found")))
                .timeout(Duration.ofMinutes(2))
                .build()));
    }

    /** The events of a task that the recording sink has received, up to its end. */
    private List<ExecEventSink.Event<?>> untilEnd(String task) throws InterruptedException {
        var all = new ArrayList<ExecEventSink.Event<?>>();
        while (true) {
            ExecEventSink.Event<?> next = told.poll(60, TimeUnit.SECONDS);
            assertNotNull(next, "nothing more was told");
            if (next.taskId().equals(task)) {
                all.add(next);
                if (next.body() instanceof ToolTaskStatus status && status.ending() != null) {
                    return all;
                }
            }
        }
    }

    @Test
    void sinkIsToldInOrderWithSnippetsBesideOthersThatThrowAndBlock() throws InterruptedException {
        String task = spawn("echo one; echo found; exit 3", "found");
        List<ExecEventSink.Event<?>> events = untilEnd(task);
        assertTrue(events.stream().anyMatch(event -> event.body() instanceof ToolTaskOutputDelta));
        var hit = events.stream()
                .filter(event -> event.body() instanceof TaskWatcherHit)
                .findFirst()
                .orElseThrow();
        assertEquals("one\nfound\n", hit.snippet());
        assertEquals("s", hit.sessionId());
        assertEquals("one\nfound\n", events.getLast().snippet());
        for (int i = 1; i < events.size(); i++) {
            assertTrue(events.get(i - 1).seq() < events.get(i).seq());
        }
    }

    @Test
    void blockedSinkIsToldHowManyEventsItMissed() throws InterruptedException {
        String task = spawn("seq 1 15000; echo end", "^[0-9]+$");
        untilEnd(task);
        released.countDown();
        Long first = missed.poll(60, TimeUnit.SECONDS);
        assertNotNull(first);
        assertTrue(first > 15_000 - Limits.SINK_EVENTS - 100, first + " missed");
    }
}
