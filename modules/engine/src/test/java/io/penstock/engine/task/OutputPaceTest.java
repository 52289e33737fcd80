package io.penstock.engine.task;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A task above its output rate waits, but its operations do not, and no output is lost. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class OutputPaceTest {

    private static final long RATE = 1_000_000;
    private static final Actor TESTER = Actor.user("tester");

    @TempDir
    Path folder;

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(folder, new Quotas(1, 1, 0, RATE)));
    }

    @Test
    void slowedFloodKeepsItsRateAndIsComplete() throws Exception {
        byte[] bytes = new byte[4_000_000];
        new Random(11).nextBytes(bytes);
        Files.write(folder.resolve("bytes"), bytes);
        List<Frame> frames = engine.ended(engine.spawn(bash("cat bytes; exit 3", ExecutionMode.PIPES)));
        assertEquals(Ending.exit(3), TaskState.fold(frames).run().ending());
        assertArrayEquals(bytes, engine.stored(frames.getFirst().stream().id(), Channel.STDOUT));
        List<Frame> deltas = frames.stream()
                .filter(frame -> frame.body() instanceof ToolTaskOutputDelta)
                .toList();
        // The rate excludes the end: the rest in the pipe at the exit, up to a MiB, is read at once.
        long from = deltas.getFirst().timestampMs();
        long read = deltas.stream()
                .filter(frame -> frame.timestampMs() <= from + 2_000)
                .mapToLong(frame -> ((ToolTaskOutputDelta) frame.body()).bytes())
                .sum();
        assertEquals(1, read / 2.0 / RATE, 0.2, read + " bytes in 2 s");
    }

    @Test
    void operationOnSlowedTaskIsImmediate() {
        String task = engine.spawn(
                bash("stty -echo; while :; do echo 0123456789012345678901234567890123456789; done", ExecutionMode.PTY));
        // Until it has exceeded its rate.
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta delta && delta.offset() > RATE / 2);
        long began = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(20 + i, 80), TESTER)));
        }
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "enough", TESTER)));
        TaskState end = TaskState.fold(engine.ended(task));
        long tookMs = (System.nanoTime() - began) / 1_000_000;
        assertEquals(Outcome.CANCELLED, end.outcome());
        assertTrue(tookMs < 2_000, tookMs + " ms for 20 operations and the end");
    }

    @Test
    void slowWriterIsNotSlowedFurther() {
        long began = System.nanoTime();
        List<Frame> frames = engine.ended(engine.spawn(bash("head -c 90000 /dev/zero", ExecutionMode.PIPES)));
        assertEquals(90_000, TaskState.fold(frames).output().stdoutTotal());
        assertTrue(System.nanoTime() - began < 2_000_000_000L);
    }
}
