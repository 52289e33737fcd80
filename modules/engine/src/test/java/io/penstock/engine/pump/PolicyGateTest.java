package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Policy is asked before each operation; denied operations are not done, and verdicts are recorded. */
class PolicyGateTest extends PolicyTestBed {

    private void with(Rule... rules) {
        with(Policy.LOCAL.otherwise(), rules);
    }

    private static Rule deny(String name, String reason, Predicate<PolicyQuestion> about) {
        return new Rule(about, new Verdict.Deny(name, reason));
    }

    @Test
    void allowedSpawnRecordsItsRuleBeforeItsStart() {
        with(new Rule(
                question -> question.mode() == ExecutionMode.PTY,
                new Verdict.Allow("terminals", "people need them", new Budgets(5_000L, null, null))));
        List<Frame> pty = engine.ended(engine.spawn(bash("true", ExecutionMode.PTY)));
        assertEquals(
                new TaskPolicyVerdict(
                        "spawn",
                        TaskPolicyVerdict.Verdict.ALLOW,
                        "terminals",
                        "people need them",
                        TESTER,
                        new Budgets(5_000L, null, null)),
                pty.get(1).body());
        List<Frame> pipes = engine.ended(engine.spawn(bash("true", ExecutionMode.PIPES)));
        assertEquals(
                new TaskPolicyVerdict(
                        "spawn", TaskPolicyVerdict.Verdict.ALLOW, "default allow", null, TESTER, Budgets.NONE),
                pipes.get(1).body());
    }

    @Test
    void deniedSpawnLeavesOneStatusAndTouchesNothing() throws Exception {
        with(deny("no-terminals", "they hide prompts", question -> question.mode() == ExecutionMode.PTY));
        PolicyDenied denied =
                assertThrows(PolicyDenied.class, () -> engine.spawn(bash("touch ran", ExecutionMode.PTY)));
        assertEquals(FailureCode.POLICY_DENIED, denied.code());
        assertEquals("The rule \"no-terminals\" denies spawn: they hide prompts", denied.getMessage());
        String task =
                await(engine.tasks.list(TaskQuery.NEWEST)).tasks().getFirst().taskId();
        assertEquals(
                Map.of(
                        "task_id", task,
                        "operation", "spawn",
                        "rule", "no-terminals",
                        "reason", "they hide prompts"),
                denied.details());
        List<Frame> frames = engine.ended(task);
        assertEquals(1, frames.size());
        var status = (ToolTaskStatus) frames.getFirst().body();
        assertEquals(Ending.failed(), status.ending());
        assertEquals(denied.getMessage(), status.error());
        assertEquals(Cause.POLICY, status.cause());
        assertEquals(Actor.POLICY, status.actor());
        RefusedSpawn asked = Objects.requireNonNull(status.refused());
        assertEquals("no-terminals", asked.rule());
        assertEquals(TESTER, asked.actor());
        assertEquals(ExecutionMode.PTY, asked.executionMode());
        try (var left = Files.walk(folder)) {
            assertEquals(
                    List.of(),
                    left.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            .filter(name -> name.startsWith(task) || name.equals("ran"))
                            .toList());
        }
    }

    @Test
    void deniedOperationIsNotDoneAndIsFrame() {
        with(deny(
                "owners",
                "it is not theirs",
                question -> question.operation() != Operation.SPAWN
                        && question.principal().equals(STRANGER)));
        String task = engine.spawn(bash("stty -echo; echo ready; read line; echo got $line", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        for (int i = 0; i < 2; i++) {
            assertDenied("stdin", engine.tasks.apply(new TaskCommand.WriteInput(task, typed("wrong\r"), STRANGER)));
        }
        String pipe = await(engine.tasks.spawn(TaskRequest.builder("bash", List.of("cat"), TESTER)
                .stdinOpen(true)
                .build()));
        engine.until(pipe, frame -> frame.seq() == 2);
        assertDenied("stdin", engine.tasks.apply(new TaskCommand.CloseInput(pipe, new byte[0], STRANGER)));
        await(engine.tasks.apply(new TaskCommand.CloseInput(pipe, typed("right"), TESTER)));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(pipe)).outcome());
        assertDenied("resize", engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(9, 9), STRANGER)));
        assertDenied("signal", engine.tasks.apply(new TaskCommand.Signal(task, "KILL", STRANGER)));
        assertDenied("cancel", engine.tasks.apply(new TaskCommand.Cancel(task, "mine now", STRANGER)));
        await(engine.tasks.apply(new TaskCommand.WriteInput(task, typed("right\r"), TESTER)));

        List<Frame> frames = engine.toTheEnd(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(Outcome.SUCCEEDED, state.outcome());
        assertEquals(0, state.rows(), "it was never resized");
        assertEquals(
                List.of("stdin", "stdin", "resize", "signal", "cancel"),
                verdicts(frames, TaskPolicyVerdict.Verdict.DENY).stream()
                        .map(TaskPolicyVerdict::operation)
                        .toList());
        assertTrue(text(frames).contains("got right"), () -> text(frames));
    }

    @Test
    void allowanceIsRecordedOncePerOperationAndActor() {
        with();
        String task = engine.spawn(bash("stty raw -echo; echo ready; exec cat > typed", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        for (int i = 0; i < 20; i++) {
            await(engine.tasks.apply(new TaskCommand.WriteInput(task, typed("x"), i % 2 == 0 ? TESTER : STRANGER)));
            await(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(30 + i, 90), TESTER)));
        }
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        List<Frame> frames = engine.ended(task);
        assertEquals(
                List.of(
                        "spawn user:tester",
                        "stdin user:tester",
                        "resize user:tester",
                        "stdin user:stranger",
                        "cancel" + " user:tester"),
                verdicts(frames, TaskPolicyVerdict.Verdict.ALLOW).stream()
                        .map(verdict -> verdict.operation() + " " + verdict.askedBy())
                        .toList());
    }

    @Test
    void impossibleOperationIsRefusedWithoutPolicy() {
        with(deny("nothing", "at all", question -> question.operation() != Operation.SPAWN));
        String task = engine.spawn(bash("sleep 60", ExecutionMode.PIPES));
        engine.until(task, frame -> frame.seq() == 2);
        var refused = assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.WriteInput(task, typed("x"), TESTER))));
        assertEquals(FailureCode.INVALID_REQUEST, refused.code());
        // The server itself needs no consent to stop a task.
        engine.stop();
        assertEquals(List.of(), verdicts(engine.ended(task), TaskPolicyVerdict.Verdict.DENY));
    }

    @Test
    void deniedPinKeepsNothingWhetherTheTaskHasEndedOrNot() {
        with(deny(
                "owners",
                "it is not theirs",
                question -> question.operation() == Operation.PIN
                        && question.principal().equals(STRANGER)));
        String task = engine.spawn(bash("read line", ExecutionMode.PTY));
        assertDenied("pin", engine.tasks.apply(new TaskCommand.Pin(task, true, STRANGER)));
        assertFalse(await(engine.tasks.state(task)).pinned());
        assertFalse(keepsOutputs(task));
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        List<Frame> frames = engine.ended(task);
        assertEquals(
                List.of("pin"),
                verdicts(frames, TaskPolicyVerdict.Verdict.DENY).stream()
                        .map(TaskPolicyVerdict::operation)
                        .toList());
        assertDenied("pin", engine.tasks.apply(new TaskCommand.Pin(task, true, STRANGER)));
        assertFalse(await(engine.tasks.state(task)).pinned());
        assertFalse(keepsOutputs(task));
        await(engine.tasks.apply(new TaskCommand.Pin(task, true, TESTER)));
        assertTrue(await(engine.tasks.state(task)).pinned());
        assertDenied("pin", engine.tasks.apply(new TaskCommand.Pin(task, false, STRANGER)));
        assertTrue(keepsOutputs(task));
        await(engine.tasks.apply(new TaskCommand.Pin(task, false, TESTER)));
        assertFalse(keepsOutputs(task));
    }

    private boolean keepsOutputs(String task) {
        return engine.artifacts.pinned().all().contains(task);
    }

    private static void assertDenied(String operation, Future<?> asked) {
        PolicyDenied denied = assertThrows(PolicyDenied.class, () -> await(asked));
        assertEquals(operation, denied.details().get("operation"));
        assertEquals("owners", denied.details().get("rule"));
    }

    static List<TaskPolicyVerdict> verdicts(List<Frame> frames, TaskPolicyVerdict.Verdict verdict) {
        return frames.stream()
                .map(Frame::body)
                .filter(body -> body instanceof TaskPolicyVerdict told && told.verdict() == verdict)
                .map(TaskPolicyVerdict.class::cast)
                .toList();
    }

    private static byte[] typed(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(List<Frame> frames) {
        var text = new StringBuilder();
        for (Frame frame : frames) {
            if (frame.body() instanceof ToolTaskOutputDelta delta && delta.text() != null) {
                text.append(delta.text().chunk());
            }
        }
        return text.toString();
    }
}
