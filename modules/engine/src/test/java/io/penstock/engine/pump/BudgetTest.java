package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.task.InputWatchTest;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskOutputDelta;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The budgets of an allowed spawn: a task that exceeds one is stopped, says why, and harms no other task. */
@Tag("long")
@Execution(CONCURRENT)
class BudgetTest extends PolicyTestBed {

    private void with(Budgets budgets) {
        Rule strangers = new Rule(
                question -> question.operation() != Operation.SPAWN
                        && question.principal().equals(STRANGER),
                new Verdict.Deny("strangers", "it is not theirs"));
        with(new Verdict.Allow("tight", null, budgets), strangers);
    }

    @Test
    void outputBeyondItsBudgetStopsTask() {
        with(new Budgets(null, 100_000L, null));
        // Both channels count, stored or not.
        String task = engine.spawn(bash("yes >&2 & yes", ExecutionMode.PIPES).storing(10));
        TaskState state = TaskState.fold(engine.ended(task));
        assertEquals(new Ending(Outcome.CANCELLED, 143, 15), state.run().ending());
        assertEquals(Cause.BUDGET, state.run().cause());
        ToolTaskCancelRequested stop = Objects.requireNonNull(state.run().stop());
        assertEquals(
                "the budget of 100000 bytes of output is used up, which came with the rule \"tight\"", stop.reason());
        assertEquals(Actor.SERVER, stop.actor());
        assertTrue(state.output().stdoutTotal() + state.output().stderrTotal() > 100_000);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void outputBeyondBudgetIsNotRecorded(ExecutionMode mode) {
        with(new Budgets(null, 65_536L, null));
        List<Frame> frames = engine.ended(engine.spawn(bash("head -c 5000000 /dev/zero; sleep 60", mode)));
        TaskState state = TaskState.fold(frames);
        assertEquals(Cause.BUDGET, state.run().cause());
        long total = state.output().stdoutTotal() + state.output().ptyTotal();
        assertTrue(total > 65_536 && total <= 65_536 + Limits.DELTA_BYTES, () -> total + " bytes");
        assertEquals(List.of(), outputAfterTheStop(frames));
    }

    @Test
    void outputBeyondEventBudgetIsNotRecorded() {
        with(new Budgets(null, null, 10L));
        List<Frame> frames =
                engine.ended(engine.spawn(bash("trap '' TERM; head -c 9000000 /dev/zero", ExecutionMode.PIPES)));
        assertEquals(Cause.BUDGET, TaskState.fold(frames).run().cause());
        assertEquals(List.of(), outputAfterTheStop(frames));
    }

    @Test
    void operationsAreRefusedOnceBudgetIsUsedUp() {
        with(new Budgets(null, 10L, null));
        String task = engine.spawn(bash("trap '' TERM; seq 1 100; sleep 60", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskCancelRequested);
        var refused = assertThrows(
                Failure.class,
                () -> finished(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(10, 10), TESTER))));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("is ending"), refused::getMessage);
    }

    private static List<Frame> outputAfterTheStop(List<Frame> frames) {
        return frames.stream()
                .dropWhile(frame -> !(frame.body() instanceof ToolTaskCancelRequested))
                .filter(frame -> frame.body() instanceof ToolTaskOutputDelta)
                .toList();
    }

    @Test
    void outputOfExactlyTheBudgetIsAllowed() {
        with(new Budgets(null, 100_000L, null));
        String task = engine.spawn(bash("head -c 60000 /dev/zero; head -c 40000 /dev/zero >&2", ExecutionMode.PIPES));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(task)).outcome());
        String over = engine.spawn(
                bash("head -c 60000 /dev/zero; head -c 40001 /dev/zero >&2; sleep 60", ExecutionMode.PIPES));
        assertEquals(Outcome.CANCELLED, TaskState.fold(engine.ended(over)).outcome());
    }

    @Test
    void writerThatIgnoresStopIsNotReadAndIsKilled() {
        with(new Budgets(null, 1_000_000L, null));
        String flood = engine.spawn(
                bash("trap '' TERM; while :; do head -c 1000000 /dev/zero || :; done", ExecutionMode.PIPES));
        String neighbour = engine.spawn(bash("sleep 1; echo well", ExecutionMode.PIPES));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(neighbour)).outcome());
        List<Frame> frames = engine.ended(flood);
        TaskState state = TaskState.fold(frames);
        assertEquals(new Ending(Outcome.CANCELLED, 137, 9), state.run().ending());
        assertTrue(
                state.output().stdoutTotal() <= 1_000_000 + Limits.DELTA_BYTES,
                () -> state.output().toString());
    }

    @Test
    void framesOfInputWaitsDoNotCountAsEvents() {
        with(new Budgets(null, null, 12L));
        String task = engine.spawn(bash("stty -echo; for i in 1 2 3 4 5; do read x; done", ExecutionMode.PTY));
        for (int i = 1; i <= 5; i++) {
            int nth = i;
            var waits = new int[1];
            engine.until(task, frame -> InputWatchTest.isWaiting(frame) && ++waits[0] == nth);
            await(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {13}, TESTER)));
        }
        List<Frame> frames = engine.ended(task);
        assertTrue(frames.size() > 12 + 2);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
    }

    @Test
    void eventsBeyondTheirBudgetStopTask() {
        with(new Budgets(null, null, 20L));
        String task = engine.spawn(bash("while :; do echo x; sleep 0.01; done", ExecutionMode.PIPES));
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(Outcome.CANCELLED, state.outcome());
        ToolTaskCancelRequested stop = Objects.requireNonNull(state.run().stop());
        assertEquals("the budget of 20 events is used up, which came with the rule \"tight\"", stop.reason());
        assertEquals(Cause.BUDGET, stop.cause());
        assertEquals(
                21,
                frames.indexOf(frames.stream()
                        .filter(frame -> frame.body() instanceof ToolTaskCancelRequested)
                        .findFirst()
                        .orElseThrow()));
    }

    @Test
    void operationsCountAsEventsAndDenialsDoNot() {
        with(new Budgets(null, null, 20L));
        String task = engine.spawn(bash("stty -echo; echo ready; exec sleep 60", ExecutionMode.PTY));
        engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
        for (int i = 0; i < 50; i++) {
            await(engine.tasks
                    .apply(new TaskCommand.Resize(task, new TerminalSize(9, 9), STRANGER))
                    .otherwiseEmpty());
        }
        assertNull(engine.state(task).run().stop());
        for (int i = 0; i < 20 && engine.state(task).run().stop() == null; i++) {
            await(engine.tasks
                    .apply(new TaskCommand.Resize(task, new TerminalSize(10 + i, 9), TESTER))
                    .otherwiseEmpty());
        }
        assertEquals(Outcome.CANCELLED, TaskState.fold(engine.ended(task)).outcome());
    }

    @Test
    void timeBudgetIsTimeoutThatNamesItsRule() {
        with(new Budgets(200L, null, null));
        List<Frame> frames = engine.ended(engine.spawn(bash("sleep 60", ExecutionMode.PIPES)));
        TaskState state = TaskState.fold(frames);
        assertEquals(Outcome.TIMED_OUT, state.outcome());
        assertEquals("timeout", Objects.requireNonNull(state.run().stop()).reason());
        assertEquals(
                List.of("Stopped, for the budget of 200 ms is used up, which came with the rule \"tight\""),
                notices(frames, "time_budget"));

        List<Frame> asked =
                engine.ended(engine.spawn(bash("sleep 60", ExecutionMode.PIPES).within(Duration.ofMillis(100))));
        assertEquals(Outcome.TIMED_OUT, TaskState.fold(asked).outcome());
        assertEquals(List.of(), notices(asked, "time_budget"));
    }

    private static List<String> notices(List<Frame> frames, String code) {
        return frames.stream()
                .filter(frame -> frame.body() instanceof TaskNotice notice
                        && notice.code().equals(code))
                .map(frame -> ((TaskNotice) frame.body()).message())
                .toList();
    }
}
