package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskStdinWritten;
import io.penstock.testbed.TestBed;
import io.vertx.core.Future;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations on a task whose program is being started wait for the start, in order. */
@ExtendWith(VertxExtension.class)
class StartingTest {

    private static final Actor TESTER = Actor.user("tester");

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
    }

    @Test
    void inputRightAfterSpawnIsNeverTooEarly() {
        for (int i = 0; i < 200; i++) {
            String task = engine.spawn(bash("read -r word; [ $word = early ]", ExecutionMode.PTY));
            await(engine.tasks.apply(
                    new TaskCommand.WriteInput(task, "early\n".getBytes(StandardCharsets.UTF_8), TESTER)));
            assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(task)).outcome());
        }
    }

    @Test
    void operationsDuringStartAreDoneInOrder() {
        String task = engine.spawn(bash("read -r a; read -r b", ExecutionMode.PTY));
        List<Future<Long>> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            asked.add(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(10 + i, 80), TESTER)));
        }
        asked.add(engine.tasks.apply(
                new TaskCommand.WriteInput(task, "a\nb\n".getBytes(StandardCharsets.UTF_8), TESTER)));
        await(Future.all(asked));
        List<Frame> frames = engine.ended(task);
        List<Integer> rows = frames.stream()
                .filter(frame -> frame.body() instanceof ToolTaskResized)
                .map(frame -> ((ToolTaskResized) frame.body()).rows())
                .toList();
        assertEquals(java.util.stream.IntStream.range(10, 30).boxed().toList(), rows);
        assertEquals(
                1,
                frames.stream()
                        .filter(frame -> frame.body() instanceof ToolTaskStdinWritten)
                        .count());
    }

    @Test
    void operationsAreRefusedIfStartFails() {
        String task = engine.spawn(Wanted.program(ExecutionMode.PTY, "/nowhere/at/all"));
        Failure refused = assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(10, 80), TESTER))));
        assertEquals(FailureCode.TASK_NOT_READY, refused.code());
    }
}
