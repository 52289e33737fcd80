package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Agent programs that send what no agent sends. Each is a shell that opens a conversation and then writes what the test has prepared. */
@ExtendWith(VertxExtension.class)
class HostileAgentTest {

    private static final String OPEN = """
            read initialize; echo '{"id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
            read create; echo '{"id":2,"result":{"sessionId":"s"}}'
            read prompt
            """;
    private static final String SETTLED = "{\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}\n";

    private Path folder;
    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        folder = bed.folder();
        AgentProfiles profiles = AgentProfiles.of(
                List.of(
                        profile("writes", OPEN + "cat lines; cat >/dev/null"),
                        profile("floods", OPEN + "cat lines; sleep 60")),
                "writes");
        engine = bed.add(new RunningEngine(folder, () -> Policy.LOCAL, Quotas.DEFAULT, profiles));
    }

    @Test
    void argumentsThatPolicyCannotReadAreNotAllowed() throws IOException {
        String deep = "{\"a\":".repeat(300) + "1" + "}".repeat(300);
        String twice = "{\"\\ud800\":1,\"\\ud801\":2}";
        var lines = new StringBuilder();
        for (String input : List.of(deep, twice, "{\"a\":1}")) {
            lines.append(request(
                    "session/request_permission", "\"toolCall\":{\"toolCallId\":\"t\",\"rawInput\":" + input + "}"));
        }
        String task = run("writes", lines + SETTLED);
        List<TaskPolicyVerdict.Verdict> verdicts = engine.ended(task).stream()
                .map(Frame::body)
                .filter(TaskPolicyVerdict.class::isInstance)
                .map(body -> ((TaskPolicyVerdict) body).verdict())
                .toList();
        assertEquals(
                List.of(
                        TaskPolicyVerdict.Verdict.ALLOW,
                        TaskPolicyVerdict.Verdict.DENY,
                        TaskPolicyVerdict.Verdict.DENY,
                        TaskPolicyVerdict.Verdict.ALLOW),
                verdicts,
                "the spawn, and three questions");
        assertEquals(Outcome.SUCCEEDED, outcome(task));
    }

    @Test
    void oddValuesAreRecordedWithinTheLimitsOfFrames() throws IOException {
        String longText = "\u00e4".repeat(100_000);
        String task = run(
                "writes",
                update("\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"" + longText + "\",\"title\":\"" + longText
                                + "\"")
                        + update(
                                "\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t\",\"title\":\"\\ud800\",\"rawInput\":\""
                                        + longText + "\"")
                        + update(
                                "\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t\",\"content\":[{\"type\":\"content\","
                                        + "\"content\":{\"type\":\"text\",\"text\":\"" + longText + "\"}}]")
                        + update("\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"" + longText
                                + "\",\"content\":{\"type\":\"text\",\"text\":\"" + longText + "\\u0000\"}")
                        + update("\"sessionUpdate\":\"plan\",\"entries\":["
                                + "{\"content\":\"x\",\"status\":\" \"},".repeat(500) + "{}]")
                        + update("\"sessionUpdate\":\"usage_update\",\"cost\":{\"amount\":1e300,\"currency\":\"USD\"}")
                        + request("terminal/create", "\"command\":7,\"args\":{}")
                        + request("fs/read_text_file", "\"path\":[\"..\"],\"line\":\"x\"")
                        + SETTLED);
        engine.ended(task);
        assertEquals(Outcome.SUCCEEDED, outcome(task), engine.state(task)::toString);
        assertEquals(2, engine.state(task).agent().toolCalls());
    }

    @Test
    void requestsOfAnAgentThatReadsNoAnswerEndIt() throws IOException {
        String task = run("floods", request("no/method", "\"a\":1").repeat(60_000) + SETTLED);
        engine.ended(task);
        TaskState state = engine.state(task);
        assertEquals(Outcome.FAILED, outcome(task));
        assertTrue(
                Objects.requireNonNull(state.run().error()).startsWith("the agent program does not read its input"),
                state.run().error());
    }

    private String run(String profile, String lines) throws IOException {
        Files.writeString(folder.resolve("lines"), lines);
        return await(engine.agents.spawn(new AgentRequest(
                "agent",
                "cli",
                "go",
                null,
                profile,
                null,
                null,
                AgentSpec.AfterTurn.END,
                null,
                null,
                null,
                null,
                null,
                true,
                null,
                Duration.ofMinutes(1),
                Actor.user("tester"))));
    }

    private Outcome outcome(String task) {
        return Objects.requireNonNull(engine.state(task).run().ending()).outcome();
    }

    private static String update(String fields) {
        return "{\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{" + fields + "}}}\n";
    }

    private static String request(String method, String fields) {
        return "{\"id\":7,\"method\":\"" + method + "\",\"params\":{\"sessionId\":\"s\"," + fields + "}}\n";
    }

    private static AgentProfile profile(String name, String script) {
        return new AgentProfile(
                name,
                AgentSpec.Protocol.ACP,
                List.of("sh", "-c", script),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of());
    }
}
