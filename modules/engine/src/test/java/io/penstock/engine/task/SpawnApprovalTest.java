package io.penstock.engine.task;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.core.Future;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A rule that asks: the task waits for an answer or the timeout, and the ledger records both. */
@ExtendWith(VertxExtension.class)
class SpawnApprovalTest {

    private static final Actor TESTER = Actor.user("tester");
    private static final Actor BOSS = Actor.user("boss");
    private static final Actor STRANGER = Actor.user("stranger");
    private static final Budgets BUDGETS = new Budgets(30_000L, null, null);

    @TempDir
    Path folder;

    private volatile long withinMs = 60_000;
    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(
                folder,
                () -> new Policy(
                        "asking",
                        List.of(
                                new Rule(
                                        question -> question.operation() == Operation.SPAWN,
                                        new Verdict.Ask("careful", "May it run?", withinMs, BUDGETS)),
                                new Rule(
                                        question -> question.operation() == Operation.ANSWER
                                                && question.principal().equals(STRANGER),
                                        new Verdict.Deny("strangers", "they have no say"))),
                        Policy.LOCAL.otherwise())));
    }

    private String asked() {
        String task = engine.spawn(bash("touch ran; echo done", ExecutionMode.PIPES));
        engine.until(task, frame -> frame.seq() == 2);
        TaskState state = engine.state(task);
        assertEquals(Phase.AWAITING_INPUT, state.phase());
        assertEquals("May it run?", state.run().question());
        return task;
    }

    @Test
    void approvalStartsProgramWithinBudgetsOfRule() {
        String task = asked();
        assertTrue(Files.notExists(folder.resolve("ran")));
        await(engine.tasks.apply(new TaskCommand.Answer(task, true, "it is harmless", BOSS)));
        List<Frame> frames = engine.ended(task);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
        assertTrue(Files.exists(folder.resolve("ran")));
        assertEquals(
                new TaskPolicyVerdict("spawn", TaskPolicyVerdict.Verdict.ASK, "careful", "May it run?", TESTER),
                frames.get(1).body());
        assertTrue(frames.stream()
                .anyMatch(frame -> frame.body()
                        .equals(new TaskPolicyVerdict(
                                "spawn",
                                TaskPolicyVerdict.Verdict.ALLOW,
                                "careful",
                                "it is harmless",
                                TESTER,
                                BUDGETS,
                                BOSS))));
    }

    @Test
    void denialEndsTaskAndNothingHasRun() {
        String task = asked();
        await(engine.tasks.apply(new TaskCommand.Answer(task, false, "not today", BOSS)));
        var end = (ToolTaskStatus) engine.ended(task).getLast().body();
        assertEquals(Ending.failed(), end.ending());
        assertEquals("denied by user:boss: not today", end.error());
        assertEquals(Cause.POLICY, end.cause());
        assertEquals(BOSS, end.actor());
        assertTrue(Files.notExists(folder.resolve("ran")));
    }

    @Test
    void unansweredSpawnIsDeniedAfterItsTimeout() {
        withinMs = 150;
        List<Frame> frames = engine.ended(engine.spawn(bash("touch ran", ExecutionMode.PTY)));
        var end = (ToolTaskStatus) frames.getLast().body();
        assertEquals("denied by server: no answer within 150 ms", end.error());
        assertTrue(frames.stream()
                .anyMatch(frame -> frame.body() instanceof TaskPolicyVerdict verdict
                        && verdict.verdict() == TaskPolicyVerdict.Verdict.DENY
                        && Actor.SERVER.equals(verdict.answeredBy())));
        assertTrue(Files.notExists(folder.resolve("ran")));
    }

    @Test
    void answerWithoutRightIsRefusedAndSpawnStaysPending() {
        String task = asked();
        var denied = assertThrows(
                PolicyDenied.class,
                () -> finished(engine.tasks.apply(new TaskCommand.Answer(task, true, "please", STRANGER))));
        assertEquals("answer", denied.details().get("operation"));
        assertEquals(Phase.AWAITING_INPUT, engine.state(task).phase());
        await(engine.tasks.apply(new TaskCommand.Answer(task, true, "well then", BOSS)));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(task)).outcome());
    }

    @Test
    void oneOfManyConcurrentAnswersCounts() {
        String task = asked();
        var answers = new ArrayList<Future<?>>();
        for (int i = 0; i < 10; i++) {
            answers.add(engine.tasks.apply(new TaskCommand.Answer(task, i % 2 == 0, "answer " + i, BOSS)));
        }
        int taken = 0;
        for (Future<?> answer : answers) {
            try {
                await(answer);
                taken++;
            } catch (Failure e) {
                assertEquals(FailureCode.TASK_NOT_READY, e.code());
            }
        }
        assertEquals(1, taken);
        TaskState.fold(engine.ended(task));
    }

    @Test
    void taskCancelledWhilePendingEndsAsCancelled() {
        String task = asked();
        await(engine.tasks.apply(new TaskCommand.Cancel(task, "never mind", TESTER)));
        List<Frame> frames = engine.ended(task);
        assertEquals(Outcome.CANCELLED, TaskState.fold(frames).outcome());
        assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.Answer(task, true, "too late", BOSS))));
        assertTrue(Files.notExists(folder.resolve("ran")));
        assertEquals(FrameType.TOOL_TASK_STATUS, frames.getLast().body().type());
    }

    @Test
    void shutdownDoesNotWaitForAnswer() {
        String task = asked();
        engine.stop();
        assertEquals(Outcome.CANCELLED, TaskState.fold(engine.ended(task)).outcome());
    }
}
