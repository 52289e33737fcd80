package io.penstock.engine.task;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.engine.pump.Wanted.program;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.ToolTaskStdinWritten;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A task from its first frame to its last, with real programs. */
@ExtendWith(VertxExtension.class)
class TaskStreamTest {

    private static final Actor TESTER = Actor.user("tester");

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
    }

    @Test
    void framesFollowSpawnRunOutputAndEndInOrder() {
        String task = engine.spawn(bash("printf 'grüße'; printf oops >&2; exit 3", ExecutionMode.PIPES));
        List<Frame> frames = engine.toTheEnd(task);

        assertEquals(FrameType.TOOL_TASK_SPAWNED, frames.getFirst().body().type());
        assertEquals(FrameType.TASK_POLICY_VERDICT, frames.get(1).body().type());
        assertEquals(FrameType.TOOL_TASK_STATUS, frames.get(2).body().type());
        assertEquals("grüße", text(frames, Channel.STDOUT));
        assertEquals("oops", text(frames, Channel.STDERR));
        assertEquals(
                2,
                frames.stream().filter(f -> f.body() instanceof ArtifactWritten).count());
        var last = (ToolTaskStatus) frames.getLast().body();
        assertEquals(new Ending(Outcome.NONZERO, 3, null), last.ending());
        assertEquals(7, last.logs().getFirst().bytesStored());
        assertEquals(TaskState.fold(frames), engine.state(task));
        assertEquals(
                task,
                await(engine.tasks.list(TaskQuery.NEWEST)).tasks().getFirst().taskId());
    }

    @Test
    void programThatCannotStartSaysWhy() {
        var last = (ToolTaskStatus) engine.toTheEnd(engine.spawn(program(ExecutionMode.PIPES, "/no/such/program")))
                .getLast()
                .body();
        assertEquals(Ending.failed(), last.ending());
        assertTrue(Objects.requireNonNull(last.error()).contains("/no/such/program"), last.error());
    }

    @Test
    void cwdOutsideWorkspaceIsRefusedAndNotRecorded() {
        Failure refused = assertThrows(
                Failure.class,
                () -> engine.spawn(bash("true", ExecutionMode.PIPES).in("../..")));
        assertEquals(FailureCode.INVALID_REQUEST, refused.code());
        assertEquals(List.of(), await(engine.tasks.list(TaskQuery.NEWEST)).tasks());
    }

    @Test
    void terminalTakesInputResizeAndSignalInOrder() {
        String task =
                engine.spawn(bash("stty size; read line; echo \"got $line\"; stty size; sleep 60", ExecutionMode.PTY));
        engine.until(task, f -> textOf(f).contains("24 80"));
        await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(50, 132), TESTER)));
        await(engine.tasks.apply(new TaskCommand.WriteInput(task, "hello\r".getBytes(StandardCharsets.UTF_8), TESTER)));
        engine.until(task, f -> textOf(f).contains("50 132"));
        await(engine.tasks.apply(new TaskCommand.Signal(task, "sigterm", TESTER)));
        List<Frame> frames = engine.toTheEnd(task);

        assertTrue(text(frames, Channel.PTY).contains("got hello"));
        var typed = (ToolTaskStdinWritten) frames.stream()
                .map(Frame::body)
                .filter(b -> b instanceof ToolTaskStdinWritten)
                .findFirst()
                .orElseThrow();
        assertEquals("aGVsbG8N", typed.chunkBase64());
        assertEquals(
                new Ending(Outcome.NONZERO, 143, 15),
                ((ToolTaskStatus) frames.getLast().body()).ending());
        assertEquals(50, engine.state(task).rows());
    }

    @Test
    void inputWithoutEchoIsNotRecorded() {
        String task = engine.spawn(bash("stty -echo; echo ready; read secret; echo \"${#secret}\"", ExecutionMode.PTY));
        engine.until(task, f -> textOf(f).contains("ready"));
        await(engine.tasks.apply(
                new TaskCommand.WriteInput(task, "swordfish\r".getBytes(StandardCharsets.UTF_8), TESTER)));
        List<Frame> frames = engine.toTheEnd(task);
        assertTrue(text(frames, Channel.PTY).contains("9"));
        assertTrue(frames.stream()
                .map(Frame::body)
                .anyMatch(b -> b instanceof ToolTaskStdinWritten s && s.bytes() == 10 && s.chunkBase64() == null));
    }

    @Test
    void pipesTakeNoInputAndSayWhatDoes() {
        String task = engine.spawn(bash("sleep 60", ExecutionMode.PIPES));
        engine.until(task, f -> f.seq() == 2);
        Failure refused = assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {1}, TESTER))));
        assertEquals(
                "stdin needs a task with execution_mode pty, or one with stdin \"open\"; this one has pipes and"
                        + " stdin \"closed\"",
                refused.getMessage());
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "enough", TESTER)));
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "again", TESTER)));
        List<Frame> frames = engine.toTheEnd(task);
        assertEquals(
                List.of(
                        FrameType.TOOL_TASK_SPAWNED,
                        FrameType.TASK_POLICY_VERDICT,
                        FrameType.TOOL_TASK_STATUS,
                        FrameType.TASK_POLICY_VERDICT,
                        FrameType.TOOL_TASK_CANCEL_REQUESTED,
                        FrameType.TOOL_TASK_CANCELLED,
                        FrameType.TOOL_TASK_STATUS),
                frames.stream().map(f -> f.body().type()).toList());
        assertEquals(Outcome.CANCELLED, engine.state(task).outcome());
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "after the end", TESTER)));
        assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {1}, TESTER))));
    }

    @Test
    @Tag("long")
    void childThatIgnoresTermIsKilledAfterGrace() {
        String task = engine.spawn(bash("trap '' TERM; echo up; while :; do sleep 0.1; done", ExecutionMode.PIPES));
        engine.until(task, f -> textOf(f).contains("up"));
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        List<Frame> frames = engine.toTheEnd(task);
        TaskState state = engine.state(task);
        assertEquals(new Ending(Outcome.CANCELLED, 137, 9), state.run().ending());
        assertEquals("Did not react to TERM, killed after 5 s", state.run().error());
        assertEquals(List.of("Did not react to TERM, killed after 5 s"), escalations(frames));
    }

    @Test
    void killDuringGraceEndsTaskAtOnce() {
        String task = engine.spawn(bash("trap '' TERM; echo up; while :; do sleep 0.1; done", ExecutionMode.PIPES));
        engine.until(task, f -> textOf(f).contains("up"));
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "kill now", TESTER)));
        await(engine.tasks.apply(new TaskCommand.Signal(task, "KILL", TESTER)));
        List<Frame> frames = engine.toTheEnd(task);
        TaskState state = engine.state(task);
        assertEquals(new Ending(Outcome.CANCELLED, 137, 9), state.run().ending());
        assertNull(state.run().error());
        assertEquals(List.of(), escalations(frames));
    }

    private static List<String> escalations(List<Frame> frames) {
        return frames.stream()
                .map(Frame::body)
                .filter(body ->
                        body instanceof TaskNotice notice && notice.code().equals("kill_escalated"))
                .map(body -> ((TaskNotice) body).message())
                .toList();
    }

    @Test
    void taskIsStoppedAfterItsTimeout() {
        String task = engine.spawn(bash("sleep 60", ExecutionMode.PIPES).within(Duration.ofMillis(200)));
        engine.toTheEnd(task);
        assertEquals(Outcome.TIMED_OUT, engine.state(task).outcome());
    }

    @Test
    void grandchildThatHoldsPipeDoesNotHoldTask() {
        String task = engine.spawn(bash(
                "sleep 30 & until read -r name </proc/$!/comm && [ $name = sleep ]; do :; done; echo leader; exit 0",
                ExecutionMode.PIPES));
        List<Frame> frames = engine.toTheEnd(task);
        assertEquals("leader\n", text(frames, Channel.STDOUT));
        assertTrue(frames.stream()
                .anyMatch(f ->
                        f.body() instanceof TaskNotice notice && notice.code().equals("pipe_still_held")));
        assertTrue(frames.stream()
                .anyMatch(f -> f.body() instanceof TaskNotice notice
                        && notice.code().equals("still_alive")
                        && notice.message().contains("sleep")));
        assertEquals(Outcome.SUCCEEDED, engine.state(task).outcome());
    }

    @Test
    void outputBeyondCapIsCountedAndTaskContinues() {
        String task = engine.spawn(bash("head -c 300000 /dev/zero | tr '\\0' x; echo end >&2", ExecutionMode.PIPES)
                .storing(100_000));
        List<Frame> frames = engine.toTheEnd(task);
        TaskState state = engine.state(task);
        assertEquals(300_000, state.output().stdoutTotal());
        assertEquals(100_000, state.output().stdoutStored());
        assertEquals("end\n", text(frames, Channel.STDERR));
        assertTrue(frames.stream()
                .anyMatch(f ->
                        f.body() instanceof TaskNotice notice && notice.code().equals("output_capped")));
    }

    @Test
    void tooLongReasonIsRefusedAndTaskRunsOn() {
        String task = engine.spawn(bash("sleep 60", ExecutionMode.PIPES));
        engine.until(task, f -> f.seq() == 2);
        Failure refused = assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.Cancel(task, "x".repeat(5_000), TESTER))));
        assertEquals(FailureCode.INVALID_REQUEST, refused.code());
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "short", TESTER)));
        engine.toTheEnd(task);
        assertEquals(Outcome.CANCELLED, engine.state(task).outcome());
    }

    @Test
    void missingTaskAndFramesAreNotFound() {
        Failure unknown = assertThrows(Failure.class, () -> engine.state("nobody"));
        assertEquals(FailureCode.TASK_NOT_FOUND, unknown.code());
        String task = engine.spawn(bash("true", ExecutionMode.PIPES));
        engine.toTheEnd(task);
        assertNull(engine.state(task).run().question());
        Failure none = assertThrows(Failure.class, () -> await(engine.tasks.output(task, Channel.PTY, 0, 100)));
        assertEquals(FailureCode.INVALID_REQUEST, none.code());
    }

    private static String textOf(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta && delta.text() != null
                ? delta.text().chunk()
                : "";
    }

    private static String text(List<Frame> frames, Channel channel) {
        var text = new StringBuilder();
        for (Frame frame : frames) {
            if (frame.body() instanceof ToolTaskOutputDelta delta && delta.channel() == channel) {
                text.append(textOf(frame));
            }
        }
        return text.toString();
    }
}
