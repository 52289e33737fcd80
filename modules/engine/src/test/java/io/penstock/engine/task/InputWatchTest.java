package io.penstock.engine.task;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.engine.pump.Wanted.program;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.ToolTaskStdinWritten;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;

/** A task whose program waits for input records that, and no other task does. */
@Tag("long")
@Execution(CONCURRENT)
@ExtendWith(VertxExtension.class)
public class InputWatchTest {

    private static final Actor TESTER = Actor.user("tester");

    private Path folder;
    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        folder = bed.folder();
        engine = bed.add(new RunningEngine(folder));
    }

    @AfterEach
    void stop() {
        engine.stop();
    }

    @Test
    void programThatReadsWaitsUntilInputComes() {
        String task = engine.spawn(bash("read x; sleep 1", ExecutionMode.PTY));
        List<Frame> before = engine.until(task, InputWatchTest::isWaiting);
        ToolTaskStatus waiting = (ToolTaskStatus) before.getLast().body();
        assertNull(waiting.question());
        assertEquals(Cause.PROGRAM, waiting.cause());
        assertEquals(Actor.SERVER, waiting.actor());
        assertEquals(Phase.AWAITING_INPUT, engine.state(task).phase());

        type(task, "yes\r");
        List<Frame> frames = engine.ended(task);
        assertEquals(List.of(Phase.RUNNING, Phase.AWAITING_INPUT, Phase.RUNNING, Phase.ENDED), phases(frames));
        assertEquals(
                1,
                statuses(frames).stream()
                        .map(ToolTaskStatus::startedAtMs)
                        .distinct()
                        .count());
        Frame typed = only(frames, ToolTaskStdinWritten.class);
        ToolTaskStatus again =
                (ToolTaskStatus) frames.get((int) typed.seq() + 1).body();
        assertEquals(Phase.RUNNING, again.phase());
        assertEquals(Cause.REQUEST, again.cause());
        assertLawful(frames);
    }

    @Test
    void programThatDoesNotReadNeverWaits() {
        List<String> tasks = List.of(
                engine.spawn(bash("sleep 2", ExecutionMode.PTY)),
                engine.spawn(bash("exec sleep 2", ExecutionMode.PTY)),
                engine.spawn(bash("end=$((SECONDS + 2)); while ((SECONDS < end)); do :; done", ExecutionMode.PTY)),
                engine.spawn(bash("mkfifo pipe; exec 3<>pipe; read -t 2 x <&3", ExecutionMode.PTY)),
                engine.spawn(bash("for i in 1 2 3 4; do echo $i; sleep 0.5; done", ExecutionMode.PTY)),
                engine.spawn(bash("sleep 2", ExecutionMode.PIPES)));
        for (String task : tasks) {
            assertEquals(List.of(Phase.RUNNING, Phase.ENDED), phases(engine.ended(task)));
        }
    }

    @Test
    void passwordPromptWaits() {
        String task = engine.spawn(bash("read -s -p password: x; echo; sleep 1", ExecutionMode.PTY));
        engine.until(task, InputWatchTest::isWaiting);
        type(task, "secret\r");
        List<Frame> frames = engine.ended(task);
        assertNull(
                ((ToolTaskStdinWritten) only(frames, ToolTaskStdinWritten.class).body()).chunkBase64());
        assertLawful(frames);
    }

    @Test
    void shellWaitsAgainAfterEachCommand() {
        String task = engine.spawn(program(ExecutionMode.PTY, "/bin/bash", "--norc", "-i"));
        for (int round = 1; round <= 3; round++) {
            waits(task, round);
            type(task, "sleep 1\r");
        }
        waits(task, 4);
        type(task, "exit\r");
        assertLawful(engine.ended(task));
    }

    @Test
    void waitThatBeginsSilentlyIsRecorded() {
        String task = engine.spawn(bash("sleep 1; read x", ExecutionMode.PTY));
        assertEquals(
                List.of(Phase.RUNNING, Phase.AWAITING_INPUT), phases(engine.until(task, InputWatchTest::isWaiting)));
        type(task, "\r");
        assertLawful(engine.ended(task));
    }

    @Test
    void waitThatEndsSilentlyIsRecorded() throws IOException {
        String task = engine.spawn(bash(
                "trap 'exec sleep 1000' USR1; (until [ -e go ]; do sleep 0.01; done; kill -USR1 $$) & read x",
                ExecutionMode.PTY));
        engine.until(task, InputWatchTest::isWaiting);
        Files.createFile(folder.resolve("go"));
        List<Frame> frames = engine.until(
                task,
                frame -> frame.body() instanceof ToolTaskStatus status
                        && status.cause() == Cause.PROGRAM
                        && status.phase() == Phase.RUNNING);
        List<ToolTaskStatus> statuses = statuses(frames);
        assertEquals(List.of(Phase.RUNNING, Phase.AWAITING_INPUT, Phase.RUNNING), phases(frames));
        assertEquals(statuses.getFirst().startedAtMs(), statuses.getLast().startedAtMs());
    }

    @Test
    void stoppedTaskDoesNotWait() {
        String task = engine.spawn(bash("trap 'sleep 1; exit 3' TERM; while :; do read x; done", ExecutionMode.PTY));
        engine.until(task, InputWatchTest::isWaiting);
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "enough", TESTER)));
        List<Frame> frames = engine.ended(task);
        assertEquals(Outcome.CANCELLED, TaskState.fold(frames).outcome());
        assertLawful(frames);
    }

    @Test
    void waitingTaskEndsLikeAnyOther() {
        String signalled = engine.spawn(bash("read x", ExecutionMode.PTY));
        String late = engine.spawn(bash("read x", ExecutionMode.PTY).within(Duration.ofSeconds(2)));
        engine.until(signalled, InputWatchTest::isWaiting);
        await(engine.tasks.apply(new TaskCommand.Signal(signalled, "KILL", TESTER)));
        List<Frame> killed = engine.ended(signalled);
        assertEquals(Outcome.NONZERO, TaskState.fold(killed).outcome());
        assertLawful(killed);
        List<Frame> timedOut = engine.ended(late);
        assertEquals(Outcome.TIMED_OUT, TaskState.fold(timedOut).outcome());
        assertLawful(timedOut);
    }

    /** At any time and after any event, every frame is legal after the one before, and no wait is recorded that is over. */
    @Test
    void anyOrderOfEventsGivesLawfulFrames() {
        for (long seed = 1; seed <= 4; seed++) {
            var random = new Random(seed);
            List<String> tasks = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                tasks.add(engine.spawn(
                        random.nextBoolean()
                                ? program(ExecutionMode.PTY, "/bin/bash", "--norc", "-i")
                                : bash("while read -t 0.4 x || sleep 0.3; do echo $x; done", ExecutionMode.PTY)));
            }
            for (int step = 0; step < 60; step++) {
                String task = tasks.get(random.nextInt(tasks.size()));
                switch (random.nextInt(6)) {
                    case 0, 1 ->
                        engine.tasks.apply(
                                new TaskCommand.WriteInput(task, "echo\r".getBytes(StandardCharsets.UTF_8), TESTER));
                    case 2 ->
                        engine.tasks.apply(new TaskCommand.WriteInput(
                                task, "sleep 0.3\r".getBytes(StandardCharsets.UTF_8), TESTER));
                    case 3 ->
                        engine.tasks.apply(
                                new TaskCommand.Resize(task, new TerminalSize(20 + random.nextInt(20), 80), TESTER));
                    case 4 -> engine.tasks.apply(new TaskCommand.Signal(task, "INT", TESTER));
                    default -> {
                        if (random.nextInt(4) == 0) {
                            engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER));
                        }
                    }
                }
                // Waits for nothing: it varies the distances between events.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(40)));
            }
            tasks.forEach(task -> engine.tasks.apply(new TaskCommand.Signal(task, "KILL", TESTER)));
            tasks.forEach(task -> assertLawful(engine.ended(task)));
        }
    }

    private void waits(String task, int times) {
        var seen = new int[1];
        engine.until(task, frame -> isWaiting(frame) && ++seen[0] == times);
    }

    private void type(String task, String text) {
        await(engine.tasks.apply(new TaskCommand.WriteInput(task, text.getBytes(StandardCharsets.UTF_8), TESTER)));
    }

    public static boolean isWaiting(Frame frame) {
        return frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.AWAITING_INPUT;
    }

    private static List<ToolTaskStatus> statuses(List<Frame> frames) {
        return frames.stream()
                .map(Frame::body)
                .filter(ToolTaskStatus.class::isInstance)
                .map(ToolTaskStatus.class::cast)
                .toList();
    }

    private static List<Phase> phases(List<Frame> frames) {
        return statuses(frames).stream().map(ToolTaskStatus::phase).toList();
    }

    private static Frame only(List<Frame> frames, Class<?> body) {
        List<Frame> found =
                frames.stream().filter(frame -> body.isInstance(frame.body())).toList();
        assertEquals(1, found.size());
        return found.getFirst();
    }

    private static void assertLawful(List<Frame> frames) {
        TaskState state = TaskState.ABSENT;
        boolean stopped = false;
        for (Frame frame : frames) {
            Phase before = state.phase();
            Frame next = frame.seq() + 1 < frames.size() ? frames.get((int) frame.seq() + 1) : null;
            state = state.after(frame);
            stopped |= frame.body() instanceof ToolTaskCancelRequested;
            if (frame.body() instanceof ToolTaskStatus status) {
                assertNotEquals(before, status.phase(), () -> "said twice: " + frame);
                assertTrue(!stopped || status.phase() == Phase.ENDED, () -> "after the stop: " + frame);
            }
            if (frame.body() instanceof ToolTaskStdinWritten && before == Phase.AWAITING_INPUT) {
                assertTrue(
                        next != null && next.body() instanceof ToolTaskStatus status && status.phase() == Phase.RUNNING,
                        () -> "typed, and then " + next);
            }
        }
        assertEquals(Phase.ENDED, state.phase());
    }
}
