package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskStdinClosed;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStdinWritten;
import io.penstock.testbed.TestBed;
import io.vertx.core.Future;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Any operation on a task at any moment is applied and recorded, or refused; never both, never neither. */
@Tag("APPLIED_THEN_FRAMED")
@ExtendWith(VertxExtension.class)
class ControlTruthTest {

    private static final Actor TESTER = Actor.user("tester");

    private Path folder;
    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        folder = bed.folder();
        engine = bed.add(new RunningEngine(folder));
    }

    @Test
    void refusedInputOfBusyProgramDelaysNothingElse() {
        // Raw, so that the terminal makes the writer wait instead of discarding excess input.
        String task = engine.spawn(bash("stty raw -echo; printf ready; exec sleep 60", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        List<Future<Long>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[8_192], TESTER)));
        }
        // The requests are sequential, so the refused ones are the last.
        Failure refused = assertInstanceOf(InputRefused.class, failure(writes.getLast()));
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("The program does not read its input"),
                refused::getMessage);

        await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(30, 90), TESTER)));
        await(engine.tasks.apply(new TaskCommand.Signal(task, "SIGTERM", TESTER)));
        List<Frame> frames = engine.ended(task);
        long done = writes.stream().filter(write -> failure(write) == null).count();
        assertEquals(
                done,
                frames.stream()
                        .filter(f -> f.body() instanceof ToolTaskStdinWritten)
                        .count());
        assertEquals(30, TaskState.fold(frames).rows());
        assertEquals(
                15,
                Objects.requireNonNull(TaskState.fold(frames).run().ending()).signal());
    }

    @Test
    void tooManyWaitingWritesAreRefusedHoweverSmall() {
        String task = engine.spawn(bash("stty raw -echo; printf ready; exec sleep 60", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        // Slightly more than a terminal buffers itself.
        for (int i = 0; i < 10; i++) {
            engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[8_192], TESTER));
        }
        Future<@Nullable Long> last = Future.succeededFuture();
        for (int i = 0; i < 40; i++) {
            last = engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'x'}, TESTER));
        }
        Failure refused = assertInstanceOf(InputRefused.class, failure(last));
        assertTrue(String.valueOf(refused.getMessage()).contains("16 writes wait for it already"), refused::getMessage);
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        engine.ended(task);
    }

    private static TaskRequest withInput(String command) {
        return TaskRequest.builder("bash", List.of("/bin/bash", "-c", command), TESTER)
                .stdinOpen(true)
                .build();
    }

    @Test
    void inputThatNobodyReadsIsBoundedAndItsCloseWaits() {
        String task = await(engine.tasks.spawn(withInput("echo ready; exec sleep 60")));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        List<Future<Long>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[8_192], TESTER)));
        }
        assertInstanceOf(InputRefused.class, failure(writes.getLast()));
        Future<?> close = engine.tasks.apply(new TaskCommand.CloseInput(task, new byte[0], TESTER));
        Failure late = assertInstanceOf(
                Failure.class, failure(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[1], TESTER))));
        assertTrue(String.valueOf(late.getMessage()).contains("was closed"), late::getMessage);
        await(engine.tasks.apply(new TaskCommand.Signal(task, "KILL", TESTER)));
        List<Frame> frames = engine.ended(task);
        long written = frames.stream()
                .filter(f -> f.body() instanceof ToolTaskStdinWritten)
                .count();
        assertEquals(
                written, writes.stream().filter(write -> failure(write) == null).count());
        // Neither the waiting input nor its end reached the program.
        assertEquals(
                FailureCode.TASK_NOT_READY,
                assertInstanceOf(Failure.class, failure(close)).code());
        assertTrue(frames.stream().noneMatch(f -> f.body() instanceof TaskStdinClosed));
    }

    @Test
    void closeFollowsTheInputThatASlowProgramReads() throws IOException {
        String task = await(engine.tasks.spawn(withInput("echo ready; until [ -e go ]; do sleep 0.01; done; wc -c")));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        for (int i = 0; i < 10; i++) {
            engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[8_192], TESTER));
        }
        Future<?> close = engine.tasks.apply(new TaskCommand.CloseInput(task, new byte[] {'x'}, TESTER));
        Files.createFile(folder.resolve("go"));
        await(close);
        List<Frame> frames = engine.toTheEnd(task);
        assertTrue(frames.stream()
                .anyMatch(f -> f.body() instanceof ToolTaskOutputDelta delta
                        && delta.text() != null
                        && delta.text().chunk().strip().equals("81921")));
        assertEquals(
                List.of(FrameType.TOOL_TASK_STDIN_WRITTEN, FrameType.TASK_STDIN_CLOSED),
                frames.stream()
                        .map(frame -> frame.body().type())
                        .filter(type ->
                                type == FrameType.TOOL_TASK_STDIN_WRITTEN || type == FrameType.TASK_STDIN_CLOSED)
                        .toList()
                        .subList(10, 12));
        assertTrue(TaskState.fold(frames).run().inputClosed());
    }

    @Test
    void anEndDuringWritesIsNeverInputThatNobodyReads() {
        for (int i = 0; i < 20; i++) {
            String task = await(engine.tasks.spawn(withInput("read line")));
            engine.until(task, frame -> frame.seq() == 2);
            await(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'\n'}, TESTER)));
            Throwable refused = null;
            while (refused == null) {
                refused = failure(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'\n'}, TESTER)));
            }
            assertEquals(
                    FailureCode.TASK_NOT_READY,
                    assertInstanceOf(Failure.class, refused).code(),
                    refused::toString);
            engine.ended(task);
        }
    }

    /** The failure, or null. */
    private static @Nullable Throwable failure(Future<?> future) {
        return await(future.map(done -> Optional.<Throwable>empty()).otherwise(Optional::of))
                .orElse(null);
    }

    @Test
    void taskCancelledDuringItsStartIsCancelled() {
        for (int i = 0; i < 20; i++) {
            // Sent at once, so usually before the program has started.
            ExecutionMode mode = ExecutionMode.values()[i % 2];
            String task = await(engine.tasks
                    .spawn(bash("sleep 60", mode).request())
                    .compose(id -> engine.tasks
                            .apply(new TaskCommand.Cancel(id, "at once", TESTER))
                            .map(id)));
            TaskState state = TaskState.fold(engine.ended(task));
            assertEquals(Outcome.CANCELLED, state.outcome());
        }
    }

    @Test
    void concurrentCancelsAreAnsweredAndOneIsRecorded() {
        String task = engine.spawn(bash("sleep 60", ExecutionMode.PTY));
        List<Future<?>> cancels = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            cancels.add(engine.tasks.apply(new TaskCommand.Cancel(task, "reason " + i, TESTER)));
        }
        await(Future.all(cancels));
        List<Frame> frames = engine.ended(task);
        assertEquals(1, count(frames, FrameType.TOOL_TASK_CANCEL_REQUESTED));
        assertEquals(1, count(frames, FrameType.TOOL_TASK_CANCELLED));
    }

    @Test
    void operationDuringTheExitIsFrameOrError() {
        for (int round = 0; round < 30; round++) {
            String task = engine.spawn(bash("read line; exit 0", ExecutionMode.PTY));
            engine.until(task, frame -> frame.seq() == 2);
            List<Future<Long>> typed = new ArrayList<>();
            List<Future<Long>> resized = new ArrayList<>();
            List<Future<Long>> signalled = new ArrayList<>();
            typed.add(engine.tasks.apply(
                    new TaskCommand.WriteInput(task, "\r".getBytes(StandardCharsets.UTF_8), TESTER)));
            while (engine.state(task).run().ending() == null) {
                typed.add(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'x'}, TESTER)));
                resized.add(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(9, 9), TESTER)));
                signalled.add(engine.tasks.apply(new TaskCommand.Signal(task, "SIGWINCH", TESTER)));
            }
            List<Frame> frames = engine.ended(task);
            assertAllRecorded(typed, frames, FrameType.TOOL_TASK_STDIN_WRITTEN);
            assertAllRecorded(resized, frames, FrameType.TOOL_TASK_RESIZED);
            assertAllRecorded(signalled, frames, FrameType.TOOL_TASK_SIGNALLED);
            TaskState.fold(frames);
        }
    }

    private static void assertAllRecorded(List<Future<Long>> asked, List<Frame> frames, FrameType type) {
        long done = asked.stream().filter(future -> failure(future) == null).count();
        assertEquals(done, count(frames, type), () -> type + " in " + frames);
    }

    private static long count(List<Frame> frames, FrameType type) {
        return frames.stream().filter(frame -> frame.body().type() == type).count();
    }
}
