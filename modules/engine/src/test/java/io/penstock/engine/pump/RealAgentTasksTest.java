package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Budgets;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentOpened;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.TaskUsage;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.RealAgents;
import io.penstock.testbed.RealAgents.RealAgent;
import io.penstock.testbed.StubModel;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Agent tasks whose programs nobody here wrote, against a model on this machine. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class RealAgentTasksTest {

    private static final Actor TESTER = Actor.user("tester");
    private static final Duration HOUR = Duration.ofHours(1);

    private final StubModel model = new StubModel();
    private Path folder;
    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        bed.add(model);
        folder = bed.folder();
        Path homes = folder.resolve("homes");
        AgentProfiles profiles = AgentProfiles.of(
                List.of(
                        profile(
                                "codex",
                                AgentSpec.Protocol.ACP,
                                RealAgents.codex(homes.resolve("codex"), model, false)),
                        profile(
                                "asking",
                                AgentSpec.Protocol.ACP,
                                RealAgents.codex(homes.resolve("asking"), model, true)),
                        profile("opencode", AgentSpec.Protocol.ACP, RealAgents.opencode(homes.resolve("open"), model)),
                        profile("pi", AgentSpec.Protocol.PI, RealAgents.pi(homes.resolve("pi"), model))),
                "codex");
        var asks = new Rule(
                question -> question.operation() == Operation.AGENT_TOOL,
                new Verdict.Ask("tools of agents", "May it", HOUR.toMillis(), Budgets.NONE));
        var policy = new Policy("of the test", List.of(asks), new Verdict.Allow("all else", null, Budgets.NONE));
        engine = bed.add(new RunningEngine(folder, () -> policy, Quotas.DEFAULT, profiles));
    }

    @Test
    void codexSettlesAndResumesWithItsHistory() {
        settlesAndResumes("codex");
    }

    @Test
    void opencodeSettlesAndResumesWithItsHistory() {
        String task = settlesAndResumes("opencode");
        assertTrue(engine.state(task).usage().inputTokens() >= 2 * StubModel.INPUT_TOKENS);
    }

    @Test
    void piSettlesAndResumesWithItsHistory() {
        String task = settlesAndResumes("pi");
        TaskUsage thrice = new TaskUsage(3 * StubModel.INPUT_TOKENS, 3 * StubModel.OUTPUT_TOKENS, 3 * 2000);
        assertEquals(thrice, engine.state(task).usage(), "two answers in the first run, one in the second");
    }

    @Test
    void piIsSteeredWithinItsRun() {
        String task = spawn("pi", "HOLD() SAY(first)");
        StubModel.Held held = model.held();
        await(engine.agents.prompt(task, TaskTurnStarted.Kind.STEER, "SAY(second)", null, TESTER));
        held.release();
        engine.ended(task);
        TaskState state = engine.state(task);
        assertEquals("second", state.result());
        assertEquals(2, state.turns());
        assertEquals(2 * StubModel.INPUT_TOKENS, state.usage().inputTokens());
    }

    @Test
    void codexIsSteeredByAnotherTurn() {
        String task = spawn("codex", "HOLD() SAY(first)");
        model.held();
        await(engine.agents.prompt(task, TaskTurnStarted.Kind.STEER, "SAY(second)", null, TESTER));
        engine.ended(task);
        TaskState state = engine.state(task);
        assertTrue(Objects.requireNonNull(state.result()).endsWith("second"), state.result());
        assertEquals(
                Outcome.SUCCEEDED, Objects.requireNonNull(state.run().ending()).outcome());
        assertEquals(2, state.turns());
    }

    @Test
    void aCancelledAgentIsGoneWithWhatItHadSaid() {
        for (String profile : List.of("codex", "pi")) {
            String task = spawn(profile, "HOLD() SAY(never)");
            model.held();
            said(task, "held ");
            await(engine.tasks.apply(new TaskCommand.Cancel(task, "enough", TESTER)));
            engine.ended(task);
            TaskState state = engine.state(task);
            assertEquals(
                    Outcome.CANCELLED,
                    Objects.requireNonNull(state.run().ending()).outcome(),
                    profile);
            assertTrue(Objects.requireNonNull(state.result()).endsWith("held "), state.result());
        }
    }

    @Test
    void anAgentThatIsKilledFailsWithWhatItHadSaid() {
        String task = spawn("pi", "HOLD() SAY(never)");
        model.held();
        said(task, "held ");
        await(engine.tasks.apply(new TaskCommand.Signal(task, "KILL", TESTER)));
        engine.ended(task);
        TaskState state = engine.state(task);
        assertEquals(
                Outcome.FAILED, Objects.requireNonNull(state.run().ending()).outcome());
        assertEquals("held ", state.result());
        assertTrue(
                Objects.requireNonNull(state.run().error()).startsWith("the agent program ended during a turn"),
                state.run().error());
    }

    @Test
    void aCommandRunsOnlyIfAPersonAllowsIt() {
        for (boolean allow : List.of(true, false)) {
            String file = "made-" + allow;
            String task = spawn("asking", "RUN(touch " + file + ") SAY(done)");
            engine.recordedUntil(
                    task,
                    frame -> frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.AWAITING_INPUT);
            assertEquals("May it: touch " + file, engine.state(task).run().question());
            await(engine.tasks.apply(new TaskCommand.Answer(task, allow, "for the test", TESTER)));
            engine.ended(task);
            assertEquals(allow, Files.exists(folder.resolve(file)));
            assertEquals(1, engine.state(task).agent().toolCalls());
        }
    }

    @Test
    void anAgentStaysForItsNextTurnAndCanBeInterrupted() {
        String task = spawn("pi", "SAY(one)", AgentSpec.AfterTurn.STAY);
        settled(task, 1);
        await(engine.agents.prompt(task, TaskTurnStarted.Kind.PROMPT, "HOLD() SAY(never)", null, TESTER));
        model.held();
        await(engine.agents.interrupt(task, TESTER));
        settled(task, 2);
        await(engine.agents.prompt(task, TaskTurnStarted.Kind.FOLLOW_UP, "SAY(three)", null, TESTER));
        settled(task, 3);
        TaskState state = engine.state(task);
        assertEquals(Phase.IDLE, state.phase());
        assertEquals("three", state.result());
        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        engine.ended(task);
    }

    /** Runs a command, ends, and resumes with what was said. */
    private String settlesAndResumes(String profile) {
        String task = spawn(profile, "RUN(echo made > made.txt; echo told) SAY(one)");
        // The first start of a large program takes long.
        engine.recordedUntil(task, frame -> frame.body() instanceof TaskAgentOpened);
        List<Frame> frames = engine.ended(task);
        TaskState state = engine.state(task);
        assertEquals(
                Outcome.SUCCEEDED, Objects.requireNonNull(state.run().ending()).outcome(), frames::toString);
        assertTrue(Objects.requireNonNull(state.result()).endsWith("one"), state.result());
        assertEquals(1, state.agent().toolCalls());
        assertTrue(Files.exists(folder.resolve("made.txt")));
        assertEquals(2, await(engine.agents.resume(task, "SAY(two)", null, HOUR, TESTER)));
        var ends = new AtomicInteger();
        List<Frame> all = engine.recordedUntil(
                task,
                frame -> frame.body() instanceof ToolTaskStatus status
                        && status.ending() != null
                        && ends.incrementAndGet() == 2);
        state = engine.state(task);
        assertEquals(
                Outcome.SUCCEEDED, Objects.requireNonNull(state.run().ending()).outcome(), all::toString);
        assertEquals(1, state.agent().resumes());
        assertTrue(Objects.requireNonNull(state.result()).endsWith("two"), state.result());
        assertTrue(bodies(all, TaskAgentOpened.class).getLast().loaded());
        assertEquals(
                1, count(bodies(all, TaskAgentMessage.class), "one"), "what was loaded is not recorded a second time");
        assertTrue(
                model.requests().stream()
                        .anyMatch(request -> request.contains("SAY(one)") && request.contains("SAY(two)")),
                "the model is told of the first run");
        return task;
    }

    private static long count(List<TaskAgentMessage> messages, String text) {
        String all = messages.stream().map(TaskAgentMessage::text).collect(Collectors.joining());
        return all.split(text, -1).length - 1;
    }

    private void said(String task, String text) {
        var sofar = new StringBuilder();
        engine.recordedUntil(
                task,
                frame -> frame.body() instanceof TaskAgentMessage message
                        && sofar.append(message.text()).toString().endsWith(text));
    }

    private void settled(String task, int turn) {
        engine.recordedUntil(task, frame -> frame.body() instanceof TaskTurnSettled settled && settled.turn() == turn);
    }

    private static <T> List<T> bodies(List<Frame> frames, Class<T> kind) {
        return frames.stream()
                .map(Frame::body)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private String spawn(String profile, String prompt) {
        return spawn(profile, prompt, AgentSpec.AfterTurn.END);
    }

    private String spawn(String profile, String prompt, AgentSpec.AfterTurn afterTurn) {
        return await(engine.agents.spawn(new AgentRequest(
                "task_spawn",
                "session",
                prompt,
                null,
                profile,
                null,
                null,
                afterTurn,
                null,
                null,
                null,
                TaskLinks.NONE,
                HOUR,
                TESTER)));
    }

    private static AgentProfile profile(String name, AgentSpec.Protocol protocol, RealAgent program) {
        return new AgentProfile(
                name, protocol, program.command(), program.environment(), Map.of(), Map.of(), List.of(), List.of());
    }
}
