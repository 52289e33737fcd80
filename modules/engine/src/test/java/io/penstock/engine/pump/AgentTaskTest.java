package io.penstock.engine.pump;

import static io.penstock.engine.pump.AgentTestBed.ALICE;
import static io.penstock.engine.pump.AgentTestBed.MINUTE;
import static io.penstock.engine.pump.AgentTestBed.asking;
import static io.penstock.engine.pump.AgentTestBed.saying;
import static io.penstock.engine.pump.AgentTestBed.settled;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.TurnRates;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.Delivery;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.AgentSpec.AfterTurn;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.TaskTurnStarted.Kind;
import io.penstock.frames.TaskWoke;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Agents as tasks, with the sample agent. */
class AgentTaskTest {

    @TempDir
    Path folder;

    @Test
    void theTurnOfAnAgentIsItsResultAndEndsItsTask() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("hello\n/tool grep found it\n/usage 10 20 0.5\n/say done");
            TaskState end = bed.ended(id);
            assertEquals(Outcome.SUCCEEDED, end.outcome());
            assertEquals("done", end.result());
            assertEquals(10, end.usage().inputTokens());
            assertEquals(20, end.usage().outputTokens());
            assertEquals(500_000, end.usage().costMicroUsd());
            assertEquals(1, end.agent().toolCalls());
            assertEquals(List.of("grep"), end.agent().recentTools());
            assertEquals("You said: hello|done", bed.said(id));
        }
    }

    @Test
    void aResumedAgentKnowsItsConversation() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say one");
            bed.ended(id);
            assertEquals(2, await(bed.engine.agents.resume(id, "/history", "p2", MINUTE, ALICE)));
            TaskState end = bed.ended(id, 2);
            assertEquals(Outcome.SUCCEEDED, end.outcome());
            assertTrue(Objects.requireNonNull(end.result()).startsWith("1 prompt before"), end.result());
            assertEquals(1, end.agent().resumes());
            assertEquals(2, end.turns());
            // And again: the outputs of earlier runs are sealed.
            await(bed.engine.agents.resume(id, "/say three", null, MINUTE, ALICE));
            assertEquals("three", bed.ended(id, 3).result());
        }
    }

    @Test
    void onlyAnEndedAgentIsResumedAndOnceAtATime() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/sleep 60000");
            bed.until(id, body -> body instanceof TaskTurnStarted);
            Failure running =
                    assertThrows(Failure.class, () -> await(bed.engine.agents.resume(id, "more", null, MINUTE, ALICE)));
            assertEquals(FailureCode.TASK_NOT_READY, running.code());
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(id, "enough", ALICE)));
            assertEquals(Outcome.CANCELLED, bed.ended(id).outcome());
            var first = bed.engine.agents.resume(id, "/say a", null, MINUTE, ALICE);
            var second = bed.engine.agents.resume(id, "/say b", null, MINUTE, ALICE);
            Failure twice = assertThrows(Failure.class, () -> {
                await(first);
                await(second);
            });
            assertEquals(FailureCode.TASK_NOT_READY, twice.code());
            assertEquals(
                    Outcome.SUCCEEDED,
                    bed.ended(id, 2).outcome(),
                    String.valueOf(bed.ended(id, 2).run().error()));
        }
    }

    @Test
    void aTurnTooSoonIsRefusedAndASteeredOneIsStillTheSame() {
        try (var bed = new AgentTestBed(folder, new TurnRates(0, 1))) {
            String id = bed.spawn("/say begin\n/sleep 60000");
            bed.until(id, saying("begin"));
            refusedAsTooSoon(() -> bed.spawn("/say second"));
            await(bed.engine.agents.prompt(id, Kind.STEER, "/say other", null, ALICE));
            assertEquals("other", bed.ended(id).result());
            refusedAsTooSoon(() -> await(bed.engine.agents.resume(id, "more", null, MINUTE, ALICE)));
            // The rate is of background tasks only.
            String staying = bed.spawn("/say three", AfterTurn.STAY, null, null);
            bed.until(staying, saying("three"));
        }
    }

    private static void refusedAsTooSoon(Executable begins) {
        assertEquals(
                FailureCode.QUOTA_EXCEEDED, assertThrows(Failure.class, begins).code());
    }

    @Test
    void aSteeredAgentChangesItsCourse() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say begin\n/sleep 60000\n/say never");
            bed.until(id, saying("begin"));
            long seq = await(bed.engine.agents.prompt(id, Kind.STEER, "/say other", "s1", ALICE));
            TaskState end = bed.ended(id);
            assertEquals("other", end.result());
            assertEquals(2, end.turns());
            Frame steer = bed.all(id).get((int) seq);
            assertEquals(Kind.STEER, ((TaskTurnStarted) steer.body()).kind());
            assertFalse(bed.said(id).contains("never"));
        }
    }

    @Test
    void anAgentIsSteeredBeforeItsConversationIsOpen() throws IOException {
        try (var bed = AgentTestBed.gated(folder)) {
            String id = bed.spawn("/sleep 600000\n/say never");
            await(bed.engine
                    .tasks
                    .awaitState(id, state -> state.phase() == Phase.RUNNING, 30_000)
                    .state());
            Future<Long> one = bed.engine.agents.prompt(id, Kind.STEER, "/sleep 600000", null, ALICE);
            Future<Long> other = bed.engine.agents.prompt(id, Kind.STEER, "/say other", null, ALICE);
            Files.createFile(folder.resolve("go"));
            assertTrue(await(one) < await(other));
            TaskState end = bed.ended(id);
            assertEquals("other", end.result());
            assertEquals(3, end.turns());
            assertEquals("other", bed.said(id));
        }
    }

    @Test
    void aFollowUpComesAfterTheRunningTurn() throws IOException {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say one\n/run until [ -e go ]; do sleep 0.01; done\n/say two");
            bed.until(id, saying("one"));
            Future<Long> next = bed.engine.agents.prompt(id, Kind.FOLLOW_UP, "/say three", null, ALICE);
            bed.until(
                    id,
                    body -> body instanceof TaskPolicyVerdict verdict
                            && verdict.operation().equals("prompt"));
            Files.createFile(folder.resolve("go"));
            await(next);
            assertEquals("three", bed.ended(id).result());
            assertTrue(bed.said(id).matches("(?s)one\\|.*two\\|three"), bed.said(id));
        }
    }

    @Test
    void anAgentThatStaysTakesTurnAfterTurn() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn(null, AfterTurn.STAY, null, null);
            await(bed.engine.agents.prompt(id, Kind.PROMPT, "/say one", "p1", ALICE));
            bed.until(id, settled(1));
            assertEquals(Phase.IDLE, bed.state(id).phase());
            await(bed.engine.agents.prompt(id, Kind.PROMPT, "/sleep 60000", "p2", ALICE));
            Failure busy = assertThrows(
                    Failure.class, () -> await(bed.engine.agents.prompt(id, Kind.PROMPT, "x", null, ALICE)));
            assertEquals(FailureCode.TASK_NOT_READY, busy.code());
            await(bed.engine.agents.interrupt(id, ALICE));
            bed.until(id, settled(2));
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(id, null, ALICE)));
            assertEquals(Outcome.CANCELLED, bed.ended(id).outcome());
        }
    }

    @Test
    void anAgentThatStaysFailsIfItEndsByItselfAndIsOpenedAgain() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn(null, AfterTurn.STAY, null, null);
            awaitIdle(bed, id, 1);
            await(bed.engine.tasks.apply(new TaskCommand.Signal(id, "KILL", ALICE)));
            assertEquals(Outcome.FAILED, bed.ended(id).outcome());
            await(bed.engine.agents.reopen(id, "large", null, MINUTE, ALICE));
            awaitIdle(bed, id, 2);
            assertFalse(bed.until(
                            id,
                            body -> body instanceof TaskNotice notice
                                    && notice.message().contains("large"))
                    .isEmpty());
        }
    }

    private static void awaitIdle(AgentTestBed bed, String id, int run) {
        TaskState state = await(bed.engine
                .tasks
                .awaitState(id, each -> each.phase() == Phase.IDLE && each.run().number() == run, 20_000)
                .state());
        assertEquals(Phase.IDLE, state.phase());
    }

    @Test
    void foldersAndFilesOfAgentsStayInTheWorkspace() {
        try (var bed = new AgentTestBed(folder)) {
            AgentApi agents = bed.engine.agents;
            assertEquals("a/b", await(agents.createFolder("/a/b")));
            assertEquals("a/b", await(agents.createFolder("a/../a/b")));
            await(agents.replaceFile("a/b/c.json", "one"));
            await(agents.replaceFile("a/b/c.json", "two"));
            for (String outside : List.of("../out", "/../out", "a/../../out")) {
                assertThrows(Failure.class, () -> await(agents.createFolder(outside)), outside);
                assertThrows(Failure.class, () -> await(agents.replaceFile(outside + "/x", "")), outside);
            }
        }
    }

    private static Policy asksForTools() {
        return new Policy(
                "test",
                List.of(new Rule(
                        question -> question.operation() == Operation.AGENT_TOOL,
                        new Verdict.Ask("tools", "May it", 30_000, Budgets.NONE))),
                new Verdict.Allow("else", null, Budgets.NONE));
    }

    @Test
    void aPersonAnswersWhatAnAgentAsks() {
        try (var bed = new AgentTestBed(folder, AgentTaskTest::asksForTools, Quotas.DEFAULT)) {
            String id = bed.spawn("/ask remove the folder?\n/ask really?");
            bed.until(id, asking());
            String question = bed.state(id).run().question();
            assertTrue(question != null && question.contains("remove the folder?"), question);
            await(bed.engine.tasks.apply(new TaskCommand.Answer(id, true, "fine", ALICE)));
            await(bed.engine
                    .tasks
                    .awaitState(
                            id, state -> String.valueOf(state.run().question()).contains("really?"), 30_000)
                    .state());
            await(bed.engine.tasks.apply(new TaskCommand.Answer(id, false, "no", ALICE)));
            assertEquals(Outcome.SUCCEEDED, bed.ended(id).outcome());
            assertEquals("allowed|denied", bed.said(id).replaceAll("[^a-z|]", ""));
            long verdicts = bed.all(id).stream()
                    .filter(frame -> frame.body() instanceof TaskPolicyVerdict verdict
                            && verdict.operation().equals("agent_tool"))
                    .count();
            assertEquals(4, verdicts);
        }
    }

    @Test
    void anAgentIsCancelledWhileItAsks() {
        try (var bed = new AgentTestBed(folder, AgentTaskTest::asksForTools, Quotas.DEFAULT)) {
            String id = bed.spawn("/ask go on?");
            bed.until(id, asking());
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(id, "no", ALICE)));
            assertEquals(Outcome.CANCELLED, bed.ended(id).outcome());
        }
    }

    @Test
    void anAgentThatCrashesFailsWithWhatItHadSaid() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say half\n/crash");
            TaskState end = bed.ended(id);
            assertEquals(Outcome.FAILED, end.outcome());
            assertEquals("half", end.result());
            assertTrue(
                    String.valueOf(end.run().error()).contains("during a turn"),
                    end.run().error());
        }
    }

    @Test
    void anAgentThatHangsIsCancelled() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say before\n/hang");
            bed.until(id, saying("before"));
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(id, "hangs", ALICE)));
            TaskState end = bed.ended(id);
            assertEquals(Outcome.CANCELLED, end.outcome());
            assertEquals("before", end.result());
        }
    }

    @Test
    void garbageEndsAnAgentOrIsPassedOver() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/garbage\n/say after");
            TaskState end = bed.ended(id);
            assertTrue(end.outcome() == Outcome.FAILED || "after".equals(end.result()), end.toString());
        }
    }

    @Test
    void theTextOfAFloodIsBounded() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/flood 40000000\n/say end");
            TaskState end = bed.ended(id);
            assertEquals(
                    Outcome.SUCCEEDED, end.outcome(), String.valueOf(end.run().error()));
            String result = Objects.requireNonNull(end.result());
            assertTrue(result.endsWith("end") && result.length() < 40_000, "characters " + result.length());
            assertTrue(end.nextSeq() < 20_000, "frames " + end.nextSeq());
            assertTrue(bed.all(id).stream()
                    .anyMatch(frame -> frame.body() instanceof TaskNotice notice
                            && notice.code().equals("agent_text_capped")));
        }
    }

    @Test
    void filesOfAnAgentStayInTheWorkspace() throws IOException {
        Path outside = folder.resolveSibling("outside-" + folder.getFileName());
        Path workspace = Files.createDirectory(folder.resolve("work"));
        Files.createSymbolicLink(workspace.resolve("link"), folder.getParent());
        try (var bed = new AgentTestBed(workspace)) {
            String id = bed.spawn("/file notes/a.txt hello\n/file ../" + outside.getFileName() + " no\n/file link/"
                    + outside.getFileName() + " no");
            bed.ended(id);
            assertEquals(
                    "hello", Files.readString(workspace.resolve("notes/a.txt")).strip());
            assertFalse(Files.exists(outside));
            assertTrue(bed.all(id).stream()
                    .anyMatch(frame ->
                            frame.body() instanceof TaskAgentToolCall call && "notes/a.txt".equals(call.title())));
        }
    }

    @Test
    void aCommandOfAnAgentIsATaskOfItsOwn() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/run echo from the child");
            TaskState end = bed.ended(id);
            assertTrue(bed.said(id).contains("from the child"), bed.said(id));
            String child = bed.all(id).stream()
                    .map(Frame::body)
                    .filter(TaskAgentToolCall.class::isInstance)
                    .map(body -> ((TaskAgentToolCall) body).childTaskId())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            TaskLinks links = Objects.requireNonNull(
                    Objects.requireNonNull(bed.state(child).spec()).links());
            assertEquals(id, links.parentTaskId());
            assertEquals(1, links.depth());
            assertEquals(Outcome.SUCCEEDED, end.outcome());
        }
    }

    @Test
    void aCancelledAgentTakesItsDescendantsWithIt() {
        try (var bed = new AgentTestBed(folder)) {
            String top = bed.spawn("/sleep 60000");
            String child = bed.spawn("/sleep 60000", AfterTurn.END, top, null);
            String grandchild = bed.spawn("/sleep 60000", AfterTurn.END, child, null);
            String last = bed.spawn("/sleep 60000", AfterTurn.END, grandchild, null);
            Failure deep = assertThrows(Failure.class, () -> bed.spawn("x", AfterTurn.END, last, null));
            assertEquals(FailureCode.QUOTA_EXCEEDED, deep.code());
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(top, "all of it", ALICE)));
            for (String id : List.of(top, child, grandchild, last)) {
                assertEquals(Outcome.CANCELLED, bed.ended(id).outcome());
            }
        }
    }

    @Test
    void anEndThatWasDeliveredIsNoMailboxItem() {
        try (var bed = new AgentTestBed(folder)) {
            for (boolean delivered : List.of(true, false)) {
                String id = bed.spawn("/sleep 60000");
                bed.until(id, body -> body instanceof TaskTurnStarted);
                Delivery first = bed.engine.agents.expect(id);
                Delivery second = bed.engine.agents.expect(id);
                await(bed.engine.agents.prompt(id, Kind.STEER, "/say it", null, ALICE));
                bed.ended(id);
                first.missed();
                second.delivered(delivered ? 1 : 2);
                assertEquals(!delivered, endOf(bed, id).notifies());
            }
        }
    }

    @Test
    void anEndWhoseDeliveryIsNotKnownBecomesAMailboxItem() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/sleep 60000");
            bed.until(id, body -> body instanceof TaskTurnStarted);
            Delivery waits = bed.engine.agents.expect(id);
            await(bed.engine.agents.prompt(id, Kind.STEER, "/say it", null, ALICE));
            assertTrue(endOf(bed, id).notifies());
            waits.delivered(1);
            await(bed.engine.agents.resume(id, "/say again", null, MINUTE, ALICE));
            bed.ended(id, 2);
            await(bed.engine.agents.clear(id, ALICE));
            Mailbox.Items items = await(bed.engine.sessions.mailbox("cli", 0L, 9));
            assertEquals(2, items.items().size(), "one for each run");
        }
    }

    /** The record of the task's end in its session. */
    private static SessionTaskEnded endOf(AgentTestBed bed, String taskId) {
        var end = new CompletableFuture<SessionTaskEnded>();
        FrameFollower follower = bed.engine.sessions.follow("cli", 0);
        follower.exceptionHandler(end::completeExceptionally);
        follower.handler(frame -> {
            if (frame.body() instanceof SessionTaskEnded ended
                    && ended.task().id().equals(taskId)) {
                end.complete(ended);
            }
        });
        try {
            return end.orTimeout(30, TimeUnit.SECONDS).join();
        } finally {
            follower.cancel();
        }
    }

    @Test
    void theEndOfATaskWakesAnAgentOnce() {
        try (var bed = new AgentTestBed(folder)) {
            String sleeper = bed.spawn("/say asleep");
            bed.ended(sleeper);
            String alarm = bed.spawn("/say ring", AfterTurn.END, null, new TaskLinks.Wake(sleeper, "/say awake"));
            TaskState woken = bed.ended(sleeper, 2);
            assertTrue(bed.said(sleeper).contains("awake"), bed.said(sleeper));
            assertEquals(2, woken.turns());
            assertTrue(bed.all(sleeper).stream()
                    .anyMatch(frame -> frame.body() instanceof TaskTurnStarted turn
                            && ("woken-by:" + alarm).equals(turn.promptId())));
            bed.until(alarm, body -> body instanceof TaskWoke);
            List<TaskWoke> wokes = bed.all(alarm).stream()
                    .map(Frame::body)
                    .filter(TaskWoke.class::isInstance)
                    .map(TaskWoke.class::cast)
                    .toList();
            assertEquals(1, wokes.size());
            assertNull(wokes.getFirst().error());
        }
    }

    @Test
    void anAgentThatIsNotThereIsNotWoken() {
        try (var bed = new AgentTestBed(folder)) {
            String alarm = bed.spawn("/say ring", AfterTurn.END, null, new TaskLinks.Wake("nobody", "wake up"));
            List<Frame> frames = bed.until(alarm, body -> body instanceof TaskWoke woke && woke.error() != null);
            assertNotNull(frames);
        }
    }

    @Test
    void aClearedAgentIsNotResumed() {
        try (var bed = new AgentTestBed(folder)) {
            String id = bed.spawn("/say x");
            bed.ended(id);
            await(bed.engine.agents.clear(id, ALICE));
            assertTrue(bed.state(id).cleared());
            Failure gone =
                    assertThrows(Failure.class, () -> await(bed.engine.agents.resume(id, "more", null, MINUTE, ALICE)));
            assertEquals(FailureCode.TASK_NOT_FOUND, gone.code());
        }
    }

    @Test
    void agentsOfASessionWaitForTheirTurn() {
        try (var bed = new AgentTestBed(folder, () -> Policy.LOCAL, Quotas.DEFAULT.withAgents(2, 1))) {
            String first = bed.spawn("/sleep 60000");
            bed.until(first, body -> body instanceof TaskTurnStarted);
            String second = bed.spawn("/say second");
            assertEquals(Phase.QUEUED, bed.state(second).phase());
            await(bed.engine.tasks.apply(new TaskCommand.Cancel(first, null, ALICE)));
            assertEquals("second", bed.ended(second).result());
        }
    }

    @Test
    void timeEndsAnAgent() {
        try (var bed = new AgentTestBed(folder)) {
            String id = await(bed.engine.agents.spawn(new AgentRequest(
                    "agent",
                    "cli",
                    "/say begun\n/sleep 60000",
                    null,
                    null,
                    null,
                    null,
                    AfterTurn.END,
                    null,
                    null,
                    null,
                    TaskLinks.NONE,
                    java.time.Duration.ofSeconds(2),
                    ALICE)));
            TaskState end = bed.ended(id);
            assertEquals(Outcome.TIMED_OUT, end.outcome());
            assertEquals(Cause.TIMEOUT, end.run().cause());
            // On a slow machine, its time may be up before its turn begins.
            assertEquals(count(bed, id, TaskTurnStarted.class), count(bed, id, TaskTurnSettled.class));
        }
    }

    private static long count(AgentTestBed bed, String id, Class<?> kind) {
        return bed.all(id).stream()
                .filter(frame -> kind.isInstance(frame.body()))
                .count();
    }
}
