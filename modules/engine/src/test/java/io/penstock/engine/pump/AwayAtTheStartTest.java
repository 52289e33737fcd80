package io.penstock.engine.pump;

import static io.penstock.engine.Await.await;
import static io.penstock.engine.pump.Wanted.bash;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.MemoryFrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.ReadOtherwise;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
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

/** The database goes away again in the middle of a start: no task is forgotten for that. */
class AwayAtTheStartTest {

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Does not answer at first, nor then each third time. */
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

    @Test
    void aTaskThatADeadServerLeftIsToldToBeLost() throws Exception {
        var before = new MemoryFrameLog(vertx);
        String task;
        try (var engine = new RunningEngine(folder, any -> before)) {
            task = engine.spawn(bash("true", ExecutionMode.PTY));
            engine.ended(task);
        }
        var left = new MemoryFrameLog(vertx);
        List<Frame> frames =
                await(before.read(StreamId.task(task), 0, 100)).frames().subList(0, 3);
        try (StreamWriter writer = await(left.begin(StreamId.task(task)))) {
            for (Frame frame : frames) {
                await(writer.append(frame.timestampMs(), frame.body()));
            }
        }
        Files.createFile(folder.resolve("live").resolve(task));
        try (var engine = new RunningEngine(folder, any -> new Away(left))) {
            assertEquals(Outcome.LOST, TaskState.fold(engine.ended(task)).outcome());
        }
        try (Stream<Path> live = Files.list(folder.resolve("live"))) {
            assertEquals(List.of(), live.toList());
        }
    }

    @Test
    void aTaskThatWaitedForItsTurnHasIt() {
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
