package io.penstock.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentEvent.Asks;
import io.penstock.engine.agent.AgentEvent.Broken;
import io.penstock.engine.agent.AgentEvent.Calls;
import io.penstock.engine.agent.AgentEvent.Opened;
import io.penstock.engine.agent.AgentEvent.Plan;
import io.penstock.engine.agent.AgentEvent.Said;
import io.penstock.engine.agent.AgentEvent.Settled;
import io.penstock.engine.agent.AgentEvent.ToolCall;
import io.penstock.engine.agent.AgentEvent.Used;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.frames.TaskAgentPlan;
import io.penstock.frames.TaskAgentToolCall.Status;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AcpProtocolTest {

    private static final String INITIALIZED = """
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true},\
            "agentInfo":{"name":"probe","version":"7"},"authMethods":[{"id":"key"}]}}""";

    private final Exchange agent = new Exchange(AcpProtocol::new);

    @Test
    void aConversationIsOpenedWithTheFolder() {
        agent.protocol.open("/work/here", null);
        JsonObject initialize = agent.sentOne();
        assertEquals("initialize", initialize.getString("method"));
        assertEquals(
                "penstock",
                initialize.getJsonObject("params").getJsonObject("clientInfo").getString("name"));
        JsonObject created = agent.says(INITIALIZED).sentOne();
        assertEquals("session/new", created.getString("method"));
        assertEquals(
                new JsonObject().put("cwd", "/work/here").put("mcpServers", new JsonArray()),
                created.getJsonObject("params"));
        agent.says("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s1\"}}");
        assertEquals(List.of(new Opened("s1", false, true, "probe", "7")), agent.happened());
    }

    @Test
    void whatIsRepeatedWhileLoadingIsNotReported() {
        agent.protocol.open("/w", "s1");
        JsonObject load = agent.says(INITIALIZED).sent().getLast();
        assertEquals("session/load", load.getString("method"));
        assertEquals("s1", load.getJsonObject("params").getString("sessionId"));
        update("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"old\"}}");
        update("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t\",\"title\":\"old\"}");
        update(cost(0.5));
        agent.says("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}");
        assertEquals(List.of(new Opened("s1", true, true, "probe", "7")), agent.happened());
        agent.protocol.prompt("go on");
        update(cost(0.75));
        assertEquals(List.of(new Used(0, 0, 250_000)), agent.happened());
    }

    @Test
    void costsOfEarlierRunsAreNotReportedAgain() {
        for (double sum : List.of(0.75, 0.25)) {
            var loaded = new Exchange(AcpProtocol::new);
            loaded.protocol.setCostBefore(500_000);
            loaded.protocol.open("/w", "s1");
            loaded.says(INITIALIZED).says("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}");
            loaded.protocol.prompt("go on");
            loaded.happened();
            loaded.says("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\","
                    + "\"update\":" + cost(sum) + "}}");
            assertEquals(List.of(new Used(0, 0, 250_000)), loaded.happened(), "it goes on, or counts anew");
        }
    }

    @Test
    void aConversationThatIsGoneIsSaidToBeMissing() {
        agent.protocol.open("/w", "s1");
        agent.says(INITIALIZED)
                .says("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32603,\"message\":\"Internal error\","
                        + "\"data\":{\"details\":\"Session not found\"}}}");
        assertTrue(assertInstanceOf(Broken.class, agent.last()).sessionMissing());
    }

    @Test
    void anAgentThatCannotLoadIsNotAskedTo() {
        agent.protocol.open("/w", "s1");
        agent.says("{\"id\":1,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{}}}");
        Broken broken = assertInstanceOf(Broken.class, agent.last());
        assertTrue(broken.reason().endsWith("it cannot load an earlier conversation"), broken.reason());
        assertFalse(broken.sessionMissing());
    }

    @Test
    void aConversationCanBeResumedWithoutRepetition() {
        agent.protocol.open("/w", "s1");
        agent.says("{\"id\":1,\"result\":{\"protocolVersion\":1,"
                + "\"agentCapabilities\":{\"sessionCapabilities\":{\"resume\":{}}}}}");
        assertEquals("session/resume", agent.sent().getLast().getString("method"));
    }

    @Test
    void aDemandForASignInSaysWhereToSignIn() {
        agent.protocol.open("/w", null);
        agent.says(INITIALIZED).says("{\"id\":2,\"error\":{\"code\":-32000,\"message\":\"Authentication required\"}}");
        Broken broken = assertInstanceOf(Broken.class, agent.last());
        assertTrue(broken.reason().contains("it wants a sign-in (key): sign in with the program's own command"));
        assertFalse(broken.sessionMissing());
    }

    @Test
    void anotherVersionOfTheProtocolIsRefused() {
        agent.protocol.open("/w", null);
        agent.says("{\"id\":1,\"result\":{\"protocolVersion\":2}}");
        assertTrue(assertInstanceOf(Broken.class, agent.last()).reason().endsWith("version 2 of ACP, not 1"));
    }

    @Test
    void aTurnIsAPromptAndItsAnswer() {
        turn();
        update("{\"sessionUpdate\":\"agent_thought_chunk\",\"content\":{\"type\":\"text\",\"text\":\"hm\"}}");
        update("{\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"m1\","
                + "\"content\":{\"type\":\"text\",\"text\":\"Hel\"}}");
        update("{\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"m1\","
                + "\"content\":{\"type\":\"text\",\"text\":\"lo\"}}");
        settle("{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":10,\"outputTokens\":4,\"totalTokens\":14}}");
        assertEquals(
                List.of(
                        new Said(Role.THOUGHT, null, "hm"),
                        new Said(Role.ASSISTANT, "m1", "Hel"),
                        new Said(Role.ASSISTANT, "m1", "lo"),
                        new Used(10, 4, 0),
                        new Settled("end_turn", null)),
                agent.happened());
    }

    @Test
    void cachedTokensCountOnce() {
        turn();
        settle("{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":10,\"outputTokens\":4,\"totalTokens\":114,"
                + "\"cachedReadTokens\":90,\"cachedWriteTokens\":5,\"thoughtTokens\":5}}");
        assertEquals(new Used(105, 9, 0), agent.happened().getFirst());
        agent.protocol.prompt("again");
        settle("{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":10,\"outputTokens\":4,\"totalTokens\":14,"
                + "\"cachedReadTokens\":9}}");
        assertEquals(new Used(10, 4, 0), agent.happened().getFirst());
    }

    @Test
    void usageInThePlaceThatGeminiHasForItCounts() {
        turn();
        settle("{\"stopReason\":\"end_turn\",\"_meta\":{\"quota\":{\"token_count\":{\"input_tokens\":10,"
                + "\"output_tokens\":2}}}}");
        assertEquals(new Used(10, 2, 0), agent.happened().getFirst());
    }

    @Test
    void theCostOfTheConversationIsReportedByDifferences() {
        turn();
        update(cost(0.25));
        update(cost(0.25));
        update(cost(0.3));
        update(cost(0.1));
        update(cost(0.2));
        update(
                "{\"sessionUpdate\":\"usage_update\",\"used\":5,\"size\":9,\"cost\":{\"amount\":9,\"currency\":\"EUR\"}}");
        update(cost(-4));
        assertEquals(
                List.of(new Used(0, 0, 250_000), new Used(0, 0, 50_000), new Used(0, 0, 100_000)), agent.happened());
    }

    @Test
    void aToolCallIsReportedByItsChanges() {
        turn();
        update("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t1\",\"title\":\"ls\",\"kind\":\"execute\","
                + "\"status\":\"in_progress\",\"rawInput\":{\"command\":\"ls\"}}");
        update(output("```sh\\na\\n```\\n"));
        update(output("```sh\\na\\nb\\n```\\n"));
        update(
                "{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t1\",\"title\":\"ls\",\"status\":\"completed\","
                        + "\"content\":[{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"```sh\\na\\nb\\nc\\n```\"}}]}");
        assertEquals(
                List.of(
                        new ToolCall("t1", "execute", "ls", Status.PENDING, "{\"command\":\"ls\"}", null),
                        new ToolCall("t1", null, null, Status.RUNNING, null, null),
                        new ToolCall("t1", null, null, null, null, "a"),
                        new ToolCall("t1", null, null, null, null, "\nb"),
                        new ToolCall("t1", null, null, Status.COMPLETED, null, "\nc")),
                agent.happened());
    }

    @Test
    void outputOfATerminalComesAsItIs() {
        turn();
        update("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t1\",\"title\":\"ls\",\"status\":\"in_progress\","
                + "\"content\":[{\"type\":\"terminal\",\"terminalId\":\"t1\"}]}");
        update("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t1\","
                + "\"_meta\":{\"terminal_output\":{\"terminal_id\":\"t1\",\"data\":\"a\\n\"}}}");
        update("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t1\","
                + "\"_meta\":{\"terminal_output\":{\"terminal_id\":\"t1\",\"data\":\"a\\n\"}}}");
        agent.happened().stream()
                .skip(2)
                .forEach(event -> assertEquals(new ToolCall("t1", null, null, null, null, "a\n"), event));
    }

    @Test
    void aResultIsTheOutputIfNoneCameBefore() {
        turn();
        for (String id : List.of("t1", "t2")) {
            update("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"" + id + "\",\"title\":\"ls\"}");
        }
        update("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t2\","
                + "\"_meta\":{\"terminal_output\":{\"data\":\"told\"}}}");
        agent.happened();
        for (String id : List.of("t1", "t2")) {
            update("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"" + id + "\",\"status\":\"completed\","
                    + "\"rawOutput\":{\"aggregated_output\":\"told\",\"exit_code\":0}}");
        }
        assertEquals(
                List.of(
                        new ToolCall("t1", null, null, Status.COMPLETED, null, "told"),
                        new ToolCall("t2", null, null, Status.COMPLETED, null, null)),
                agent.happened());
    }

    @Test
    void theContentOfAQuestionIsNoOutput() {
        turn();
        agent.says(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"s1\","
                        + "\"toolCall\":{\"toolCallId\":\"t1\",\"title\":\"rm\",\"content\":[{\"type\":\"content\","
                        + "\"content\":{\"type\":\"text\",\"text\":\"May I?\"}}]},\"options\":[]}}");
        assertEquals(
                List.of(
                        new ToolCall("t1", null, "rm", Status.PENDING, null, null),
                        new Asks("q1", "t1", null, "rm", new JsonObject())),
                agent.happened());
    }

    @Test
    void aChangeOfAFileIsShownByItsLines() {
        turn();
        update(
                "{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t1\",\"title\":\"edit\",\"status\":\"completed\","
                        + "\"content\":[{\"type\":\"diff\",\"path\":\"/w/a\",\"oldText\":\"1\\n2\\n3\\n\",\"newText\":\"1\\nzwei\\n3\\n\"}]}");
        assertEquals(
                new ToolCall("t1", null, null, Status.COMPLETED, null, "/w/a\n-2\n+zwei"),
                agent.happened().getLast());
    }

    @Test
    void aPlanReplacesTheEarlierOne() {
        turn();
        update("{\"sessionUpdate\":\"plan\",\"entries\":[{\"content\":\"look\",\"priority\":\"high\","
                + "\"status\":\"in_progress\"},{\"content\":7}]}");
        assertEquals(
                List.of(new Plan(List.of(
                        new TaskAgentPlan.Entry("look", "in_progress"), new TaskAgentPlan.Entry("", "pending")))),
                agent.happened());
    }

    @Test
    void aPermissionIsAskedAndGivenOnce() {
        turn();
        permission("\"r1\"", "allow_always", "allow_once", "reject_once");
        assertEquals(
                List.of(
                        new ToolCall("t1", "execute", "rm", Status.PENDING, "{\"command\":\"rm\"}", null),
                        new Asks("q1", "t1", "execute", "rm", new JsonObject().put("command", "rm"))),
                agent.happened());
        agent.protocol.answer("q1", true);
        assertEquals(
                new JsonObject(
                        "{\"id\":\"r1\",\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"allow_once\"}},"
                                + "\"jsonrpc\":\"2.0\"}"),
                agent.sentOne());
        agent.protocol.answer("q1", false);
        assertEquals(List.of(), agent.sent(), "it is not open any more");
    }

    @Test
    void aRefusalChoosesOnlyWhatRefusesOnce() {
        turn();
        permission("5", "allow_always", "reject_once");
        agent.protocol.answer("q1", false);
        assertEquals("reject_once", outcome(agent.sentOne()).getString("optionId"));
        permission("6", "allow_always", "reject_always");
        agent.protocol.answer("q2", false);
        assertEquals("cancelled", outcome(agent.sentOne()).getString("outcome"));
        permission("7", "allow_always", "reject_always");
        agent.protocol.answer("q3", true);
        assertEquals("allow_always", outcome(agent.sentOne()).getString("optionId"));
    }

    @Test
    void anInterruptCancelsTheTurnAndItsQuestions() {
        turn();
        permission("9", "allow_once");
        agent.protocol.interrupt();
        List<JsonObject> sent = agent.sent();
        assertEquals("session/cancel", sent.get(0).getString("method"));
        assertFalse(sent.get(0).containsKey("id"), "it is a notification");
        assertEquals("cancelled", outcome(sent.get(1)).getString("outcome"));
        settle("{\"stopReason\":\"cancelled\"}");
        assertEquals(new Settled("cancelled", null), agent.last());
    }

    @Test
    void callsAreAnsweredByResultOrError() {
        turn();
        agent.says(
                "{\"id\":\"a\",\"method\":\"fs/read_text_file\",\"params\":{\"sessionId\":\"s1\",\"path\":\"/w/x\"}}");
        agent.says("{\"id\":4,\"method\":\"terminal/create\",\"params\":{\"sessionId\":\"s1\",\"command\":\"ls\"}}");
        assertEquals(
                new Calls(
                        "c1",
                        "fs/read_text_file",
                        new JsonObject().put("sessionId", "s1").put("path", "/w/x")),
                agent.happened().getFirst());
        agent.protocol.reply("c1", new JsonObject().put("content", "x"));
        assertEquals(
                "{\"id\":\"a\",\"result\":{\"content\":\"x\"},\"jsonrpc\":\"2.0\"}",
                agent.sentOne().encode());
        agent.protocol.refuse("c2", "not here");
        assertEquals("not here", agent.sentOne().getJsonObject("error").getString("message"));
    }

    @Test
    void unknownRequestsAndOtherConversationsAreRefused() {
        turn();
        agent.says("{\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"sessionId\":\"s1\"}}");
        assertEquals(-32601, agent.sentOne().getJsonObject("error").getInteger("code"));
        agent.says("{\"id\":1,\"method\":\"fs/read_text_file\",\"params\":{\"sessionId\":\"other\"}}");
        assertEquals(-32602, agent.sentOne().getJsonObject("error").getInteger("code"));
        agent.says("{\"method\":\"session/update\",\"params\":{\"sessionId\":\"other\",\"update\":"
                + "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}}}");
        assertEquals(List.of(), agent.happened());
    }

    @Test
    void onlySoManyRequestsWait() {
        turn();
        for (int i = 0; i < AcpProtocol.OPEN_REQUESTS; i++) {
            agent.says("{\"id\":7,\"method\":\"terminal/create\",\"params\":{\"sessionId\":\"s1\"}}");
        }
        assertEquals(List.of(), agent.sent());
        agent.says("{\"id\":7,\"method\":\"terminal/create\",\"params\":{\"sessionId\":\"s1\"}}");
        assertTrue(agent.sentOne().getJsonObject("error").getString("message").contains("64 requests wait"));
    }

    @Test
    void anErrorSettlesAPromptWithItsReason() {
        turn();
        agent.says("{\"id\":3,\"error\":{\"code\":-32603,\"message\":\"Internal error\",\"data\":\"no model\"}}");
        assertEquals(List.of(new Settled("error", "Internal error: no model")), agent.happened());
        agent.protocol.prompt("again");
        assertEquals("session/prompt", agent.sentOne().getString("method"));
    }

    @Test
    void unknownAndRepeatedAnswersAreIgnored() {
        turn();
        agent.says("{\"id\":99,\"result\":{\"stopReason\":\"end_turn\"}}")
                .says("{\"id\":\"3\",\"result\":{\"stopReason\":\"end_turn\"}}")
                .says("{\"id\":null,\"result\":{}}")
                .says("{\"id\":2,\"result\":{\"sessionId\":\"s9\"}}");
        assertEquals(List.of(), agent.happened());
        settle("{\"stopReason\":\"end_turn\"}");
        settle("{\"stopReason\":\"end_turn\"}");
        assertEquals(List.of(new Settled("end_turn", null)), agent.happened());
    }

    @Test
    void wishesAtTheWrongTimeAreDefects() {
        assertThrows(IllegalStateException.class, () -> agent.protocol.prompt("early"));
        turn();
        assertThrows(IllegalStateException.class, () -> agent.protocol.prompt("second"));
        assertFalse(agent.protocol.canSteer());
        assertThrows(IllegalStateException.class, () -> agent.protocol.steer("left"));
    }

    @Test
    void anEndDuringATurnBreaksIt() {
        turn();
        agent.protocol.ended();
        assertTrue(assertInstanceOf(Broken.class, agent.last()).reason().endsWith("it ended during the turn"));
        agent.happened();
        settle("{\"stopReason\":\"end_turn\"}");
        agent.protocol.ended();
        agent.protocol.interrupt();
        assertEquals(List.of(), agent.happened(), "nothing follows");
    }

    @Test
    void anEndBetweenTurnsIsNoFailure() {
        turn();
        settle("{\"stopReason\":\"end_turn\"}");
        agent.happened();
        agent.protocol.ended();
        assertEquals(List.of(), agent.happened());
    }

    @Test
    void theLastLineMayLackItsEnd() {
        turn();
        agent.bytes("{\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}".getBytes(StandardCharsets.UTF_8));
        agent.protocol.ended();
        assertEquals(List.of(new Settled("end_turn", null)), agent.happened());
    }

    @Test
    void fieldsOfAnotherKindDoNoHarm() {
        turn();
        for (String line : List.of(
                "{\"method\":\"session/update\",\"params\":7}",
                "{\"method\":\"session/update\"}",
                "{\"method\":7,\"id\":{}}",
                "{\"method\":\"fs/x\",\"id\":[1]}",
                "{\"id\":3.5}",
                "{}")) {
            agent.says(line);
        }
        update("{\"sessionUpdate\":[1]}");
        update("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":[{\"type\":\"text\"}],\"messageId\":{}}");
        update("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":12}}");
        update("{\"sessionUpdate\":\"tool_call\"}");
        update("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\" \"}");
        update("{\"sessionUpdate\":\"plan\",\"entries\":{}}");
        update("{\"sessionUpdate\":\"usage_update\",\"cost\":{\"amount\":\"NaN\",\"currency\":\"USD\"}}");
        update("{\"sessionUpdate\":\"usage_update\",\"cost\":{\"amount\":1e999,\"currency\":\"USD\"}}");
        assertEquals(List.of(new Plan(List.of())), agent.happened());
        settle("{\"stopReason\":3,\"usage\":{\"inputTokens\":-4,\"outputTokens\":1e300,\"totalTokens\":\"x\"}}");
        assertEquals(List.of(new Used(0, 1_000_000_000_000L, 0), new Settled("unknown", null)), agent.happened());
    }

    @Test
    void namesAreShortenedToWhatAFrameHolds() {
        turn();
        String longName = "x".repeat(Limits.TEXT_CHARS + 1);
        update(new JsonObject()
                .put("sessionUpdate", "tool_call")
                .put("toolCallId", longName)
                .put("title", longName)
                .encode());
        ToolCall call = assertInstanceOf(ToolCall.class, agent.happened().getFirst());
        assertEquals(Limits.TEXT_CHARS, call.callId().length());
        assertEquals(Limits.TEXT_CHARS, String.valueOf(call.title()).length());
    }

    @Test
    void anyBytesBreakNothing() {
        var random = new Random(11);
        List<String> pieces = List.of(
                "{",
                "}",
                "[",
                "]",
                "\"",
                ":",
                ",",
                "\n",
                "\\u",
                "\ud83d",
                "1",
                "-",
                "null",
                "true",
                "\"id\":3",
                "\"method\":\"session/update\"",
                "\"params\":",
                "\"update\":",
                "\"sessionId\":\"s1\"",
                "\"sessionUpdate\":\"tool_call\"",
                "\"toolCallId\":",
                "\"content\":",
                "\"result\":",
                "\"error\":");
        for (int round = 0; round < 300; round++) {
            var fuzzed = new Exchange(AcpProtocol::new);
            fuzzed.protocol.open("/w", null);
            fuzzed.says(INITIALIZED).says("{\"id\":2,\"result\":{\"sessionId\":\"s1\"}}");
            fuzzed.protocol.prompt("x");
            for (int i = 0; i < 200; i++) {
                byte[] bytes = pieces.get(random.nextInt(pieces.size())).getBytes(StandardCharsets.UTF_8);
                fuzzed.bytes(random.nextInt(20) == 0 ? new byte[] {(byte) random.nextInt()} : bytes);
            }
            fuzzed.protocol.ended();
        }
    }

    /** Opens a conversation and begins a turn. */
    private void turn() {
        agent.protocol.open("/w", null);
        agent.says(INITIALIZED).says("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s1\"}}");
        agent.protocol.prompt("hello");
        agent.sent();
        agent.happened();
        prompts = 2;
    }

    private int prompts;

    private void settle(String result) {
        prompts++;
        agent.says("{\"jsonrpc\":\"2.0\",\"id\":" + prompts + ",\"result\":" + result + "}");
    }

    private void update(String update) {
        agent.says("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":"
                + update + "}}");
    }

    private void permission(String id, String... kinds) {
        var options = new JsonArray();
        for (String kind : kinds) {
            options.add(new JsonObject().put("optionId", kind).put("name", kind).put("kind", kind));
        }
        agent.says("{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"s1\",\"toolCall\":"
                + "{\"toolCallId\":\"t1\",\"title\":\"rm\",\"kind\":\"execute\",\"rawInput\":{\"command\":\"rm\"}},"
                + "\"options\":" + options.encode() + "}}");
    }

    private static JsonObject outcome(JsonObject response) {
        return response.getJsonObject("result").getJsonObject("outcome");
    }

    private static String cost(double amount) {
        return "{\"sessionUpdate\":\"usage_update\",\"used\":5,\"size\":9,\"cost\":{\"amount\":" + amount
                + ",\"currency\":\"USD\"}}";
    }

    private static String output(String text) {
        return "{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t1\",\"content\":[{\"type\":\"content\","
                + "\"content\":{\"type\":\"text\",\"text\":\"" + text + "\"}}]}";
    }
}
