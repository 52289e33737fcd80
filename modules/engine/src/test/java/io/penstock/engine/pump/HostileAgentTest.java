package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.SessionTaskEnded;
import io.penstock.frames.TaskAgentPlan;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** Can load its conversation; what it then does is in a file. */
    private static final String LOAD = """
            read initialize; echo '{"id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}'
            read open
            case "$open" in
            *session/load*) . ./loading ;;
            *) echo '{"id":2,"result":{"sessionId":"s"}}'; read prompt; cat lines; cat >/dev/null ;;
            esac
            """;

    /** pi that says everything but that it has settled; asked for its state, it tells the truth. */
    private static final String MUTE = """
            while read -r line; do
              id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
              case "$line" in
              *get_state*) echo '{"type":"response","id":"'$id'","success":true,"data":{"sessionId":"s","isStreaming":false}}' ;;
              *prompt*)
                echo '{"type":"response","id":"'$id'","success":true}'
                echo '{"type":"agent_start"}'
                echo '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"all of it"}}'
                ;;
              esac
            done
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
                        profile("floods", OPEN + "cat lines; sleep 60"),
                        profile("loads", LOAD),
                        new AgentProfile(
                                "mute",
                                AgentSpec.Protocol.PI,
                                List.of("sh", "-c", MUTE),
                                Map.of(),
                                Map.of(),
                                Map.of(),
                                List.of(),
                                List.of())),
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

    @Test
    void fallbackToPolling() throws IOException {
        String task = run("mute", "");
        engine.ended(task);
        TaskState state = engine.state(task);
        assertEquals(
                Outcome.SUCCEEDED, outcome(task), String.valueOf(state.run().error()));
        assertEquals("all of it", state.result());
        Frame notified = firstItem();
        assertEquals("all of it", ((SessionTaskEnded) notified.body()).result());
    }

    /** The first item of the mailbox, when it is there. */
    private Frame firstItem() {
        var item = new CompletableFuture<Frame>();
        FrameFollower follower = engine.sessions.follow("cli", 0);
        follower.exceptionHandler(item::completeExceptionally);
        follower.handler(frame -> {
            if (Mailbox.isItem(frame.body())) {
                item.complete(frame);
            }
        });
        try {
            return item.orTimeout(30, TimeUnit.SECONDS).join();
        } finally {
            follower.cancel();
        }
    }

    @Test
    void onlyAMissingConversationIsRecordedAsMissing() throws IOException {
        for (boolean missing : List.of(true, false)) {
            Files.writeString(
                    folder.resolve("loading"),
                    missing
                            ? "echo '{\"id\":2,\"error\":{\"code\":-32002,\"message\":\"Resource not found\"}}'; cat >/dev/null"
                            : "exit 3");
            String task = run("loads", SETTLED);
            engine.ended(task);
            assertEquals(Outcome.SUCCEEDED, outcome(task));
            await(engine.agents.resume(task, "again", null, Duration.ofMinutes(1), Actor.user("tester")));
            var ends = new AtomicInteger();
            List<Frame> frames = engine.recordedUntil(
                    task,
                    frame -> frame.body() instanceof ToolTaskStatus status
                            && status.ending() != null
                            && ends.incrementAndGet() == 2);
            assertEquals(Outcome.FAILED, outcome(task));
            assertEquals(
                    missing,
                    frames.stream()
                            .anyMatch(frame -> frame.body() instanceof TaskNotice notice
                                    && notice.code().equals(TaskNotice.SESSION_MISSING)));
            assertEquals(0, engine.state(task).agent().resumes());
        }
    }

    @Test
    void plansAndTitlesAreBoundedAsTexts() throws IOException {
        String entry = "{\"content\":\"" + "p".repeat(500) + "\",\"status\":\"pending\"}";
        String plan = update(
                "\"sessionUpdate\":\"plan\",\"entries\":[" + String.join(",", Collections.nCopies(100, entry)) + "]");
        var titles = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            titles.append(update("\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t" + i + "\",\"title\":\""
                    + "t".repeat(4_000) + "\""));
        }
        String task = run("writes", plan.repeat(200) + titles + SETTLED);
        List<Frame> frames = engine.ended(task);
        assertEquals(Outcome.SUCCEEDED, outcome(task));
        long chars = frames.stream()
                .mapToLong(frame -> switch (frame.body()) {
                    case TaskAgentPlan shown ->
                        shown.entries().stream()
                                .mapToLong(each -> each.content().length())
                                .sum();
                    case TaskAgentToolCall call -> String.valueOf(call.title()).length();
                    default -> 0;
                })
                .sum();
        assertTrue(chars > 15L << 20 && chars <= 16L << 20, "characters " + chars);
        assertEquals(
                1,
                frames.stream()
                        .filter(frame -> frame.body() instanceof TaskNotice notice
                                && notice.code().equals("agent_text_capped"))
                        .count());
    }

    @Test
    void terminalsOfOneAgentAreBoundedAndEndWithIt() throws IOException {
        String create = request("terminal/create", "\"command\":\"sleep\",\"args\":[\"600\"]");
        String task = run("writes", create.repeat(80) + SETTLED);
        List<Frame> frames = engine.ended(task);
        List<String> children = frames.stream()
                .map(Frame::body)
                .filter(TaskAgentToolCall.class::isInstance)
                .map(body -> ((TaskAgentToolCall) body).childTaskId())
                .filter(Objects::nonNull)
                .toList();
        assertTrue(children.size() <= 64, "terminals " + children.size());
        for (String child : children) {
            engine.ended(child);
            assertEquals(Outcome.CANCELLED, outcome(child));
        }
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
                TaskLinks.NONE,
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
