package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.engine.log.OneAtATime;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.ReadOtherwise;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongTaskTest {

    private static final int MANY = 20_000;

    @Test
    void stateAfterVeryManyPagesIsFolded(@TempDir Path folder) {
        try (var engine = new RunningEngine(folder, vertx -> new OneAtATime(vertx, new MemoryFrameLog(vertx)))) {
            String task = engine.spawn(Wanted.program(ExecutionMode.PTY, "sleep", "600"));
            long seq = 0;
            for (int i = 1; i <= MANY; i++) {
                seq = requireNonNull(await(engine.tasks.apply(
                        new TaskCommand.Resize(task, new TerminalSize(20 + i % 2, 80), Actor.SERVER))));
            }
            assertEquals(seq + 1, await(engine.tasks.stateAt(task, seq)).nextSeq());
        }
    }

    /** The frames of a task that writes faster than it is read would be read forever. */
    @Test
    void stateAtMissingFrameIsRefusedWithoutReading(@TempDir Path folder) {
        var reads = new AtomicInteger();
        try (var engine = new RunningEngine(folder, vertx -> new ReadOtherwise(new MemoryFrameLog(vertx)) {
            @Override
            public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
                reads.incrementAndGet();
                return log.read(stream, fromSeq, maxFrames);
            }
        })) {
            String task = engine.spawn(Wanted.program(ExecutionMode.PTY, "sleep", "600"));
            long last = requireNonNull(
                    await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(20, 80), Actor.SERVER))));
            int before = reads.get();
            Failure none = assertThrows(Failure.class, () -> await(engine.tasks.stateAt(task, Limits.WHOLE_NUMBER)));
            assertEquals(FailureCode.INVALID_REQUEST, none.code());
            assertEquals(
                    "The task " + task + " has no frame " + Limits.WHOLE_NUMBER + "; its last is " + last,
                    none.getMessage());
            assertEquals(before, reads.get());
            assertEquals(
                    FailureCode.TASK_NOT_FOUND,
                    assertThrows(Failure.class, () -> await(engine.tasks.stateAt("nobody", 0)))
                            .code());
        }
    }
}
