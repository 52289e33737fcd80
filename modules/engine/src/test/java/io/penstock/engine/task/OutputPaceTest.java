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
import io.penstock.frames.Limits;
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

    private static final Actor TESTER = Actor.user("tester");

    /** The capacity of a pipe. */
    private static final int PIPE_BYTES = 1 << 20;

    /** The credit of {@link OutputPace}, and the milliseconds that are cut off timestamps. */
    private static final long CREDIT_MS = 102;

    /** Pieces that are read before the rate holds the task, or are being stored by a worker. */
    private static final long AHEAD = 4;

    @TempDir
    Path folder;

    private TestBed bed;

    @BeforeEach
    void keep(TestBed bed) {
        this.bed = bed;
    }

    private RunningEngine engine(long bytesPerSecond) {
        return bed.add(new RunningEngine(folder, new Quotas(1, 1, 0, bytesPerSecond)));
    }

    @Test
    void slowedFloodKeepsItsRateAndIsComplete() throws Exception {
        long rate = 1_000_000;
        RunningEngine engine = engine(rate);
        byte[] bytes = new byte[2_500_000];
        new Random(11).nextBytes(bytes);
        Files.write(folder.resolve("bytes"), bytes);
        List<Frame> frames = engine.ended(engine.spawn(bash("cat bytes; exit 3", ExecutionMode.PIPES)));
        assertEquals(Ending.exit(3), TaskState.fold(frames).run().ending());
        assertArrayEquals(bytes, engine.stored(frames.getFirst().stream().id(), Channel.STDOUT));
        List<Frame> deltas = frames.stream()
                .filter(frame -> frame.body() instanceof ToolTaskOutputDelta)
                .toList();
        long from = deltas.getFirst().timestampMs();
        for (Frame frame : deltas) {
            var delta = (ToolTaskOutputDelta) frame.body();
            if (delta.bytesTotal() > bytes.length - PIPE_BYTES) {
                // The program may have exited: then the rest in the pipe is read at once.
                break;
            }
            // A pause of the machine makes it later, never earlier.
            long most = (frame.timestampMs() - from + CREDIT_MS) * rate / 1_000 + AHEAD * Limits.DELTA_BYTES;
            assertTrue(delta.bytesTotal() <= most, () -> delta + " at most " + most);
        }
    }

    @Test
    void operationOnSlowedTaskDoesNotWaitForItsRate() {
        // Already the first line exceeds it by most of a minute, and what an operation reads before it, by hours.
        RunningEngine engine = engine(1);
        String task = engine.spawn(
                bash("stty -echo; while :; do echo 0123456789012345678901234567890123456789; done", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        for (int i = 0; i < 20; i++) {
            await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(20 + i, 80), TESTER)));
        }
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "enough", TESTER)));
        assertEquals(Outcome.CANCELLED, TaskState.fold(engine.ended(task)).outcome());
    }
}
