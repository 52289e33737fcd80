package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.RunState;
import io.penstock.frames.TaskQueued;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tasks between entering a lane and the start of their program. */
@ExtendWith(VertxExtension.class)
class QueueTest {

    private static final Actor TESTER = Actor.user("tester");

    /** Asks about tasks with a terminal, and allows tasks with pipes. */
    private static final Policy ASKING = new Policy(
            "asking",
            List.of(new Rule(
                    question -> question.operation() == Operation.SPAWN && question.mode() == ExecutionMode.PTY,
                    new Verdict.Ask("careful", "May it run?", 60_000, Budgets.NONE))),
            Policy.LOCAL.otherwise());

    @TempDir
    Path folder;

    private TestBed bed;
    private @Nullable RunningEngine running;

    @BeforeEach
    void keep(TestBed bed) {
        this.bed = bed;
    }

    private RunningEngine engine() {
        return Objects.requireNonNull(running);
    }

    private void start(Quotas quotas) {
        running = bed.add(new RunningEngine(folder, MemoryFrameLog::new, () -> ASKING, quotas));
    }

    private String held() {
        return engine().spawn(bash("until [ -e go ]; do sleep 0.01; done; echo ran >> ran", ExecutionMode.PIPES));
    }

    private void release() throws IOException {
        Files.createFile(folder.resolve("go"));
    }

    private Outcome outcome(String task) {
        return Objects.requireNonNull(TaskState.fold(engine().ended(task)).outcome());
    }

    private List<Path> queue() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("queue"))) {
            return files.toList();
        }
    }

    private String answered() {
        String asked = engine().spawn(bash("echo yes", ExecutionMode.PTY));
        engine().until(asked, frame -> frame.seq() == 2);
        assertEquals(Phase.AWAITING_INPUT, engine().state(asked).phase());
        await(engine().tasks.apply(new TaskCommand.Answer(asked, true, "go on", TESTER)));
        return asked;
    }

    @Test
    void approvedTaskWithoutRoomIsQueued() throws IOException {
        start(new Quotas(1, 1, 0));
        String holds = held();
        String asked = answered();
        List<Frame> waiting = engine().until(asked, frame -> frame.body() instanceof TaskQueued);
        assertEquals(Phase.QUEUED, TaskState.fold(waiting).phase());
        assertEquals(1, queue().size());
        release();
        assertEquals(Outcome.SUCCEEDED, outcome(holds));
        List<Frame> all = engine().ended(asked);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(all).outcome());
        var turn = (ToolTaskStatus) all.get(waiting.size()).body();
        assertEquals(Phase.STARTING, turn.phase());
        assertEquals(Cause.QUOTA, turn.cause());
    }

    @Test
    void pendingApprovalTakesNoSlot() {
        start(new Quotas(1, 1, 0));
        String asked = engine().spawn(bash("echo yes", ExecutionMode.PTY));
        engine().until(asked, frame -> frame.seq() == 2);
        assertEquals(Outcome.SUCCEEDED, outcome(engine().spawn(bash("true", ExecutionMode.PIPES))));
        await(engine().tasks.apply(new TaskCommand.Answer(asked, true, "go on", TESTER)));
        assertEquals(Outcome.SUCCEEDED, outcome(asked));
    }

    @Test
    void timeoutCountsFromStartOfProgram() throws IOException {
        start(new Quotas(1, 1, 10));
        held();
        String waits = engine().spawn(bash("true", ExecutionMode.PIPES).within(Duration.ofMillis(200)));
        String endless = engine().spawn(bash("sleep 100", ExecutionMode.PIPES).within(Duration.ofMillis(200)));
        String later = engine().spawn(bash("true", ExecutionMode.PIPES));
        long spawned = System.nanoTime();
        while (System.nanoTime() - spawned < Duration.ofMillis(400).toNanos()) {
            assertEquals(Phase.QUEUED, engine().state(waits).phase());
        }
        release();
        RunState run = TaskState.fold(engine().ended(waits)).run();
        long ranMs = Objects.requireNonNull(run.endedAtMs()) - Objects.requireNonNull(run.startedAtMs());
        // On a slow machine, its time may be up.
        assertTrue(Ending.exit(0).equals(run.ending()) || ranMs >= 200, () -> run + " after " + ranMs + " ms");
        assertEquals(Outcome.TIMED_OUT, outcome(endless));
        assertEquals(Outcome.SUCCEEDED, outcome(later));
    }

    @Test
    void queuedTaskThatCannotStartReleasesItsSlot() throws IOException {
        start(new Quotas(1, 1, 10));
        held();
        Path gone = Files.createDirectory(folder.resolve("gone"));
        String without = engine().spawn(bash("true", ExecutionMode.PIPES).in("gone"));
        String forgotten = engine().spawn(bash("true", ExecutionMode.PIPES));
        String last = engine().spawn(bash("true", ExecutionMode.PIPES));
        Files.delete(gone);
        Files.delete(folder.resolve("queue").resolve(forgotten));
        release();
        assertEquals(Outcome.FAILED, outcome(without));
        String why = engine().state(without).run().error();
        assertTrue(why != null && why.contains("not a directory"), why);
        assertEquals(Outcome.FAILED, outcome(forgotten));
        assertEquals(Outcome.SUCCEEDED, outcome(last));
    }

    @Test
    void shutdownEndsRunningTasksAndLeavesQueuedOnes() throws IOException {
        start(new Quotas(1, 1, 10));
        String runs = held();
        String waits = engine().spawn(bash("true", ExecutionMode.PIPES));
        String asked = answered();
        engine().until(asked, frame -> frame.body() instanceof TaskQueued);
        engine().stop();
        assertEquals(Outcome.CANCELLED, outcome(runs));
        for (String task : List.of(waits, asked)) {
            assertEquals(Phase.QUEUED, engine().state(task).phase());
            assertTrue(queue().contains(folder.resolve("queue").resolve(task)));
        }
    }

    @Test
    void quotaHoldsAndNoTaskIsForgotten() throws Exception {
        start(new Quotas(3, 2, 1_000));
        var random = new Random(7);
        var tasks = new ArrayList<>(List.of(held(), held(), held()));
        for (String first : tasks) {
            engine().until(
                            first,
                            frame -> frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.RUNNING);
        }
        for (int i = 0; i < 300; i++) {
            if (i == 100) {
                release();
            }
            tasks.add(engine().spawn(bash("echo ran >> ran", ExecutionMode.PIPES)));
            if (random.nextInt(3) == 0) {
                engine().tasks.apply(new TaskCommand.Cancel(tasks.get(random.nextInt(tasks.size())), null, TESTER));
            }
        }
        // An ended task releases its slot before another begins, so within a millisecond ends come first.
        var changes = new TreeMap<Long, Integer>();
        int succeeded = 0;
        for (String task : tasks) {
            List<Frame> frames = engine().ended(task);
            TaskState end = TaskState.fold(frames);
            assertNotEquals(Outcome.FAILED, end.outcome());
            succeeded += end.outcome() == Outcome.SUCCEEDED ? 1 : 0;
            Long startedAt = end.run().startedAtMs();
            if (startedAt != null) {
                changes.merge(2 * startedAt + 1, 1, Integer::sum);
                changes.merge(2 * frames.getLast().timestampMs(), -1, Integer::sum);
            }
        }
        int now = 0;
        int most = 0;
        for (int change : changes.values()) {
            now += change;
            most = Math.max(most, now);
        }
        assertEquals(3, most);
        assertTrue(succeeded > 100, succeeded + " succeeded");
        assertTrue(Files.readAllLines(folder.resolve("ran")).size() >= succeeded);
        engine().stop();
        assertEquals(0, engine().lanes().running());
        assertEquals(0, engine().lanes().waiting());
        assertEquals(List.of(), queue());
    }
}
