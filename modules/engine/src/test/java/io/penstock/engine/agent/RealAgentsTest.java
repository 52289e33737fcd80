package io.penstock.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentEvent.Asks;
import io.penstock.engine.agent.AgentEvent.Broken;
import io.penstock.engine.agent.AgentEvent.Opened;
import io.penstock.engine.agent.AgentEvent.Said;
import io.penstock.engine.agent.AgentEvent.Settled;
import io.penstock.engine.agent.AgentEvent.ToolCall;
import io.penstock.engine.agent.AgentEvent.Used;
import io.penstock.frames.TaskAgentToolCall.Status;
import io.penstock.testbed.RealAgents;
import io.penstock.testbed.RealAgents.RealAgent;
import io.penstock.testbed.StubModel;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The protocols with programs that nobody here wrote, against a model on this machine. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class RealAgentsTest {

    private final StubModel model = new StubModel();
    private TestBed bed;
    private Path folder;

    @BeforeEach
    void openBed(TestBed opened) throws IOException {
        bed = opened;
        bed.add(model);
        folder = Files.createDirectories(bed.folder().resolve("work"));
    }

    @Test
    void codexRunsACommandAndLoadsItsConversation() throws IOException {
        String session;
        try (AgentProcess codex = codex(false)) {
            Opened opened = codex.open(folder, null);
            assertTrue(opened.canLoad());
            assertEquals("codex-acp", opened.agentName());
            assertEquals(
                    new Settled("end_turn", null), codex.turn("RUN(echo made > made.txt; echo told) SAY(all done)"));
            assertTrue(codex.said().endsWith("all done"), codex.said());
            assertEquals("made\n", Files.readString(folder.resolve("made.txt")));
            ToolCall begun = codex.seen(ToolCall.class).getFirst();
            assertEquals(Status.PENDING, begun.status());
            assertEquals("echo made > made.txt; echo told", begun.title());
            assertEquals(Status.COMPLETED, codex.seen(ToolCall.class).getLast().status());
            assertEquals("told\n", codex.output());
            session = opened.sessionId();
        }
        try (AgentProcess codex = codex(false)) {
            assertEquals(session, codex.open(folder, session).sessionId());
            assertEquals(1, codex.turn("SAY(again)").stopReason().lines().count());
            assertTrue(codex.said().endsWith("again") && !codex.said().contains("all done"), codex.said());
            assertTrue(model.requests().getLast().contains("all done"), "the model is told of the first run");
        }
        try (AgentProcess codex = codex(false)) {
            codex.wish(agent -> agent.open(folder.toString(), "01a1f862-88b9-7d62-8e05-ba815cd8e07b"));
            assertTrue(codex.await(Broken.class).sessionMissing());
        }
    }

    @Test
    void codexAsksBeforeACommandThatItDoesNotTrust() {
        try (AgentProcess codex = codex(true)) {
            codex.open(folder, null);
            codex.wish(agent -> agent.prompt("RUN(touch allowed.txt) SAY(one)"));
            Asks first = codex.await(Asks.class);
            assertEquals("touch allowed.txt", first.title());
            assertEquals("execute", first.tool());
            codex.wish(agent -> agent.answer(first.questionId(), true));
            assertEquals("end_turn", codex.await(Settled.class).stopReason());
            assertTrue(Files.exists(folder.resolve("allowed.txt")));
            codex.wish(agent -> agent.prompt("RUN(touch denied.txt) SAY(two)"));
            Asks second = codex.await(Asks.class);
            codex.wish(agent -> agent.answer(second.questionId(), false));
            codex.await(Settled.class);
            assertFalse(Files.exists(folder.resolve("denied.txt")));
        }
    }

    @Test
    void codexIsInterruptedAndTakesTheNextPrompt() {
        try (AgentProcess codex = codex(false)) {
            codex.open(folder, null);
            codex.wish(agent -> agent.prompt("HOLD() SAY(never)"));
            model.held();
            codex.wish(AgentProtocol::interrupt);
            assertEquals(new Settled("cancelled", null), codex.await(Settled.class));
            assertEquals(new Settled("end_turn", null), codex.turn("SAY(next)"));
            assertTrue(codex.said().endsWith("next") && !codex.said().contains("never"), codex.said());
        }
    }

    @Test
    void anAgentThatIsKilledDuringATurnBreaksIt() {
        try (AgentProcess codex = codex(false)) {
            codex.open(folder, null);
            codex.wish(agent -> agent.prompt("HOLD() SAY(never)"));
            model.held();
            codex.kill();
            assertTrue(codex.await(Broken.class).reason().endsWith("it ended during the turn"));
        }
    }

    @Test
    void piRunsACommandAndLoadsItsConversation() throws IOException {
        String session;
        try (AgentProcess pi = pi()) {
            Opened opened = pi.open(folder, null);
            assertTrue(opened.canLoad());
            assertEquals(new Settled("stop", null), pi.turn("RUN(echo made > made.txt; echo told) SAY(all done)"));
            assertEquals("all done", pi.said());
            assertEquals(2, pi.seen(Said.class).size(), "as the model has streamed it");
            assertEquals("made\n", Files.readString(folder.resolve("made.txt")));
            ToolCall begun = pi.seen(ToolCall.class).getFirst();
            assertEquals("bash", begun.name());
            assertEquals(Status.PENDING, begun.status());
            assertEquals(Status.COMPLETED, pi.seen(ToolCall.class).getLast().status());
            assertEquals("told\n", pi.output());
            Used once = new Used(StubModel.INPUT_TOKENS, StubModel.OUTPUT_TOKENS, 2000);
            assertEquals(Stream.of(once, once).toList(), pi.seen(Used.class), "one for each answer of the model");
            session = opened.sessionId();
        }
        try (AgentProcess pi = pi()) {
            assertEquals(session, pi.open(folder, session).sessionId());
            assertEquals(new Settled("stop", null), pi.turn("SAY(again)"));
            assertEquals("again", pi.said());
            assertTrue(model.requests().getLast().contains("all done"), "the model is told of the first run");
            assertEquals(1, pi.seen(Used.class).size());
        }
        Files.delete(Path.of(Objects.requireNonNull(session)));
        try (AgentProcess pi = pi()) {
            pi.wish(agent -> agent.open(folder.toString(), session));
            assertTrue(pi.await(Broken.class).sessionMissing());
        }
    }

    @Test
    void piIsSteeredDuringATurn() {
        try (AgentProcess pi = pi()) {
            pi.open(folder, null);
            pi.wish(agent -> agent.prompt("HOLD() SAY(first)"));
            StubModel.Held held = model.held();
            pi.wish(agent -> agent.steer("SAY(second)"));
            held.release();
            assertEquals(new Settled("stop", null), pi.await(Settled.class));
            assertEquals("held firstsecond", pi.said());
            assertEquals(
                    2,
                    pi.seen(Said.class).stream().map(Said::messageId).distinct().count());
        }
    }

    @Test
    void piIsInterruptedAndTakesTheNextPrompt() {
        try (AgentProcess pi = pi()) {
            pi.open(folder, null);
            pi.wish(agent -> agent.prompt("HOLD() SAY(never)"));
            model.held();
            pi.wish(AgentProtocol::interrupt);
            assertEquals(new Settled("aborted", null), pi.await(Settled.class));
            assertEquals(new Settled("stop", null), pi.turn("SAY(next)"));
            assertTrue(pi.said().endsWith("next") && !pi.said().contains("never"), pi.said());
        }
    }

    @Test
    void piIsInterruptedBeforeItHasBegun() {
        try (AgentProcess pi = pi()) {
            pi.open(folder, null);
            pi.wish(agent -> {
                agent.prompt("HOLD() SAY(never)");
                agent.interrupt();
            });
            assertEquals("aborted", pi.await(Settled.class).stopReason());
        }
    }

    @Test
    void opencodeRunsACommandAndLoadsItsConversation() throws IOException {
        String session;
        try (AgentProcess opencode = opencode()) {
            Opened opened = opencode.open(folder, null);
            assertTrue(opened.canLoad());
            session = opened.sessionId();
            assertEquals(
                    new Settled("end_turn", null), opencode.turn("RUN(echo made > made.txt; echo told) SAY(all done)"));
            assertEquals("all done", opencode.said());
            assertEquals("made\n", Files.readString(folder.resolve("made.txt")));
            assertEquals("told\n", opencode.output());
            assertTrue(opencode.seen(Used.class).getLast().inputTokens() >= StubModel.INPUT_TOKENS);
            opencode.wish(agent -> agent.prompt("HOLD() SAY(never)"));
            model.held();
            opencode.wish(AgentProtocol::interrupt);
            assertEquals(new Settled("cancelled", null), opencode.await(Settled.class));
        }
        try (AgentProcess opencode = opencode()) {
            opencode.open(folder, session);
            assertEquals(new Settled("end_turn", null), opencode.turn("SAY(again)"));
            assertEquals("again", opencode.said());
            assertTrue(model.requests().stream()
                    .anyMatch(request -> request.contains("all done") && request.contains("again")));
        }
        try (AgentProcess opencode = opencode()) {
            opencode.wish(agent -> agent.open(folder.toString(), "ses_none"));
            assertTrue(opencode.await(Broken.class).sessionMissing());
        }
    }

    private AgentProcess codex(boolean asks) {
        return start(RealAgents.codex(home(), model, asks), AcpProtocol::new);
    }

    private AgentProcess pi() {
        return start(RealAgents.pi(home(), model), PiProtocol::new);
    }

    private AgentProcess opencode() {
        return start(RealAgents.opencode(home(), model), AcpProtocol::new);
    }

    private AgentProcess start(RealAgent program, Function<AgentProtocol.Listener, AgentProtocol> language) {
        return new AgentProcess(program, folder, language);
    }

    private Path home() {
        return bed.folder().resolve("home");
    }
}
