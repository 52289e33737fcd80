package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.ReadOtherwise;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database becomes unavailable in the middle of a start: the recovery waits, and forgets no task. */
class DatabaseAwayAtStartTest {

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Fails the first and every third request. */
    private static final class Away extends ReadOtherwise {
        private final AtomicInteger asked = new AtomicInteger();

        Away(FrameLog log) {
            super(log);
        }

        private <T> Future<T> answer(Supplier<Future<T>> question) {
            return asked.getAndIncrement() % 3 == 0
                    ? Future.failedFuture(new Failure(FailureCode.DATABASE_UNAVAILABLE, "it is restarted"))
                    : question.get();
        }

        @Override
        public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
            return answer(() -> log.read(stream, fromSeq, maxFrames));
        }

        @Override
        public Future<StreamWriter> open(StreamId stream) {
            return answer(() -> log.open(stream));
        }
    }

    /** A task with the frames of a running one in this log, and a file in the folder. */
    private String leftRunning(FrameLog left) throws Exception {
        var before = new MemoryFrameLog(vertx);
        String task;
        try (var engine = new RunningEngine(folder, any -> before)) {
            task = engine.spawn(bash("true", ExecutionMode.PTY));
            engine.ended(task);
            // Waits until the file of the ended task is removed.
            engine.stop();
        }
        List<Frame> frames =
                await(before.read(StreamId.task(task), 0, 100)).frames().subList(0, 3);
        try (StreamWriter writer = await(left.create(StreamId.task(task)))) {
            for (Frame frame : frames) {
                await(writer.append(frame.timestampMs(), frame.body()));
            }
        }
        Files.createFile(folder.resolve("live").resolve(task));
        return task;
    }

    @Test
    void taskOfDeadServerIsRecordedAsLost() throws Exception {
        var left = new MemoryFrameLog(vertx);
        String task = leftRunning(left);
        try (var engine = new RunningEngine(folder, any -> new Away(left))) {
            assertEquals(Outcome.LOST, TaskState.fold(engine.ended(task)).outcome());
            // Waits for the recovery, which removes the file after the end is recorded.
            engine.stop();
        }
        try (Stream<Path> live = Files.list(folder.resolve("live"))) {
            assertEquals(List.of(), live.toList());
        }
    }

    /** Opens no stream for writing before it is released. */
    private static final class Slow extends ReadOtherwise {
        private final Promise<Void> answers = Promise.promise();

        Slow(FrameLog log) {
            super(log);
        }

        @Override
        public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
            return log.read(stream, fromSeq, maxFrames);
        }

        @Override
        public Future<StreamWriter> open(StreamId stream) {
            return answers.future().compose(now -> log.open(stream));
        }
    }

    @Test
    void startDoesNotWaitForEndsOfLostTasks() throws Exception {
        var left = new MemoryFrameLog(vertx);
        String task = leftRunning(left);
        var slow = new Slow(left);
        try (var engine = new RunningEngine(folder, any -> slow)) {
            // A task that begins meanwhile is not taken for a lost one.
            String begun = engine.spawn(bash("echo new", ExecutionMode.PIPES));
            assertEquals(
                    Ending.exit(0), TaskState.fold(engine.ended(begun)).run().ending());
            assertEquals(Phase.RUNNING, engine.state(task).phase());
            var refused = assertThrows(
                    Failure.class,
                    () -> finished(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[1], Actor.SERVER))));
            assertEquals(FailureCode.TASK_NOT_READY, refused.code());
            assertTrue(String.valueOf(refused.getMessage()).contains("is being ended"), refused.getMessage());

            slow.answers.complete();
            assertEquals(Outcome.LOST, TaskState.fold(engine.ended(task)).outcome());
        }
    }

    @Test
    void queuedTaskOfEarlierServerRuns() {
        var log = new MemoryFrameLog(vertx);
        String waits;
        try (var engine = new RunningEngine(folder, any -> log, () -> Policy.LOCAL, new Quotas(1, 1, 10))) {
            String runs = engine.spawn(bash("echo runs; sleep 60", ExecutionMode.PIPES));
            engine.until(runs, frame -> frame.body() instanceof ToolTaskOutputDelta);
            waits = engine.spawn(bash("exit 5", ExecutionMode.PIPES));
            engine.stop();
        }
        try (var engine = new RunningEngine(folder, any -> new Away(log))) {
            assertEquals(
                    Ending.exit(5), TaskState.fold(engine.ended(waits)).run().ending());
        }
    }
}
