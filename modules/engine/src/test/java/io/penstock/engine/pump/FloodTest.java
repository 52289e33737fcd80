package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Programs that write faster than they are read: workers store their pieces, and the frames are still in order. */
@ExtendWith(VertxExtension.class)
class FloodTest {

    private static final int BYTES = 16_000_000;

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
    }

    /** Each byte depends on its offset, so that a lost, doubled or misplaced one is detected. */
    @Test
    void twoFloodsOfOneTaskAreWholeAndInOrder() {
        String numbers = "seq -w 10000000 99999999 | head -c " + BYTES;
        String task = engine.spawn(bash(numbers + " & " + numbers + " >&2; wait", ExecutionMode.PIPES)
                .storing(2L * BYTES));
        List<Frame> frames = engine.ended(task);
        assertEquals(Ending.exit(0), TaskState.fold(frames).run().ending());
        assertTrue(
                frames.stream()
                        .anyMatch(f ->
                                f.body() instanceof ToolTaskOutputDelta delta && delta.bytes() == Limits.DELTA_BYTES),
                "nothing was written faster than it was read");
        for (Channel channel : ExecutionMode.PIPES.channels()) {
            byte[] stored = engine.stored(task, channel);
            assertEquals(BYTES, stored.length, channel.wireName());
            for (int at = 0; at < BYTES; at++) {
                int expected = at % 9 == 8 ? '\n' : digit(10_000_000 + at / 9, at % 9);
                if (stored[at] != expected) {
                    assertEquals((char) expected, (char) stored[at], channel.wireName() + " at " + at);
                }
            }
        }
    }

    /** The most significant of eight bytes comes first. */
    private static int digit(int number, int place) {
        int digit = number;
        for (int i = place; i < 7; i++) {
            digit /= 10;
        }
        return '0' + digit % 10;
    }

    @Test
    void capIsRecordedOnceAfterPieceThatReachesIt() {
        long cap = 1_000_000;
        String task = engine.spawn(
                bash("head -c " + BYTES + " /dev/zero", ExecutionMode.PIPES).storing(cap));
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(BYTES, state.output().stdoutTotal());
        assertEquals(cap, state.output().stdoutStored());
        List<Frame> told =
                frames.stream().filter(f -> f.body() instanceof TaskNotice).toList();
        assertEquals(1, told.size(), () -> "notices " + told);
        var before = (ToolTaskOutputDelta)
                frames.get((int) told.getFirst().seq() - 1).body();
        assertTrue(
                before.offset() < cap && before.offset() + before.bytes() > cap,
                () -> "the cap of " + cap + " is reported after " + before);
    }

    @Test
    void stoppedFloodEndsWithRecordedOutput() {
        String task = engine.spawn(bash("exec yes", ExecutionMode.PIPES).storing(1L << 40));
        engine.until(
                task, frame -> frame.body() instanceof ToolTaskOutputDelta delta && delta.offset() > 5 * 1024 * 1024);
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, Actor.user("tester"))));
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(Outcome.CANCELLED, state.outcome());
        assertEquals(state.output().stdoutTotal(), state.output().stdoutStored());
        assertEquals(
                state.output().stdoutTotal(),
                await(engine.tasks.bytes(task, Channel.STDOUT)).length());
    }
}
