package io.penstock.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentEvent.Asks;
import io.penstock.engine.agent.AgentEvent.Broken;
import io.penstock.engine.agent.AgentEvent.Opened;
import io.penstock.engine.agent.AgentEvent.Said;
import io.penstock.engine.agent.AgentEvent.Settled;
import io.penstock.engine.agent.AgentEvent.ToolCall;
import io.penstock.engine.agent.AgentEvent.Used;
import io.penstock.frames.TaskAgentMessage.Role;
import io.penstock.frames.TaskAgentToolCall.Status;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PiProtocolTest {

    private static final JsonObject QUIET =
            new JsonObject("{\"sessionFile\":\"/s/1.jsonl\",\"isStreaming\":false,\"isCompacting\":false,"
                    + "\"messageCount\":4,\"pendingMessageCount\":0}");

    private final Exchange pi = new Exchange(PiProtocol::new);

    @Test
    void aConversationIsItsFile() {
        pi.protocol.open("/w", null);
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Opened("/s/1.jsonl", false, true, null, null)), pi.happened());
    }

    @Test
    void withoutAFileItCannotBeLoaded() {
        pi.protocol.open("/w", null);
        answer(pi.sentOne(), new JsonObject().put("sessionId", "abc"));
        assertEquals(List.of(new Opened("abc", false, false, null, null)), pi.happened());
    }

    @Test
    void aConversationIsLoadedByItsFile() {
        pi.protocol.open("/w", "/s/1.jsonl");
        JsonObject load = pi.sentOne();
        assertEquals("switch_session", load.getString("type"));
        assertEquals("/s/1.jsonl", load.getString("sessionPath"));
        answer(load, new JsonObject().put("cancelled", false));
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Opened("/s/1.jsonl", true, true, null, null)), pi.happened());
    }

    @Test
    void aFileThatIsGoneIsSaidToBeMissing() {
        pi.protocol.open("/w", "/s/1.jsonl");
        answer(pi.sentOne(), new JsonObject().put("cancelled", false));
        answer(pi.sentOne(), QUIET.copy().put("messageCount", 0));
        assertTrue(assertInstanceOf(Broken.class, pi.last()).sessionMissing());
    }

    @Test
    void anUnknownCommandIsAnsweredWithoutItsId() {
        pi.protocol.open("/w", "/s/1.jsonl");
        pi.says("{\"type\":\"response\",\"command\":\"switch_session\",\"success\":false,"
                + "\"error\":\"Unknown command: switch_session\"}");
        assertTrue(assertInstanceOf(Broken.class, pi.last()).reason().endsWith("Unknown command: switch_session"));
    }

    @Test
    void partsOfMessagesAreReportedOnce() {
        turn();
        pi.says(event("agent_start"));
        pi.says("{\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"timestamp\":17,\"content\":[]}}");
        delta("thinking_delta", "hm");
        delta("text_delta", "Hel");
        delta("text_delta", "lo\u2028");
        ended(
                "stop",
                null,
                "{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":\"Hello\u2028you\"}");
        assertEquals(
                List.of(
                        new Said(Role.THOUGHT, "17", "hm"),
                        new Said(Role.ASSISTANT, "17", "Hel"),
                        new Said(Role.ASSISTANT, "17", "lo\u2028"),
                        new Said(Role.ASSISTANT, "17", "you"),
                        new Used(16, 2, 1500)),
                pi.happened());
    }

    @Test
    void whatPiRepeatsBehindAPartIsNotRead() {
        turn();
        String head =
                "{\"type\":\"message_update\",\"assistantMessageEvent\":{\"type\":\"text_delta\",\"contentIndex\":0,";
        pi.says(head + "\"delta\":\"a\\\"b\",\"partial\":{\"any\":[1]},\"message\":{}}");
        pi.says(head + "\"partial\":{},\"delta\":\"not\"}}");
        pi.says(head + "\"delta\":\"c\"},\"message\":{\"role\":\"assistant\"}}");
        pi.says("{\"type\":\"message_update\",\"assistantMessageEvent\":7}");
        pi.says(head + "\"delta\":\"cut");
        assertEquals(
                List.of(new Said(Role.ASSISTANT, null, "a\"b"), new Said(Role.ASSISTANT, null, "c")), pi.happened());
    }

    @Test
    void wholeMessagesBecomeDifferences() {
        turn();
        pi.says("{\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}");
        pi.says(
                "{\"type\":\"message_update\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}");
        pi.says(
                "{\"type\":\"message_update\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"ab\"}]}}");
        assertEquals(List.of(new Said(Role.ASSISTANT, null, "a"), new Said(Role.ASSISTANT, null, "b")), pi.happened());
    }

    @Test
    void halvesOfACharacterAreJoined() {
        turn();
        for (String part : List.of("a\\ud83d", "\\ude00")) {
            pi.says("{\"type\":\"message_update\",\"assistantMessageEvent\":{\"type\":\"text_delta\",\"delta\":\""
                    + part + "\"}}");
        }
        assertEquals(
                List.of(new Said(Role.ASSISTANT, null, "a"), new Said(Role.ASSISTANT, null, "\ud83d\ude00")),
                pi.happened());
    }

    @Test
    void aToolCallIsReportedByItsChanges() {
        turn();
        pi.says(
                "{\"type\":\"tool_execution_start\",\"toolCallId\":\"t\",\"toolName\":\"bash\",\"args\":{\"command\":\"ls\"}}");
        tool("tool_execution_update", "\"partialResult\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\n\"}]}");
        tool("tool_execution_update", "\"partialResult\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\\n\"}]}");
        tool(
                "tool_execution_end",
                "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\\nc\"}]},\"isError\":true");
        assertEquals(
                List.of(
                        new ToolCall("t", "bash", "ls", Status.PENDING, "{\"command\":\"ls\"}", null),
                        new ToolCall("t", null, null, Status.RUNNING, null, null),
                        new ToolCall("t", null, null, null, null, "a\n"),
                        new ToolCall("t", null, null, null, null, "b\n"),
                        new ToolCall("t", null, null, Status.FAILED, null, "c")),
                pi.happened());
    }

    @Test
    void aTurnSettlesWhenPiSaysSo() {
        turn();
        pi.says(event("agent_start"));
        ended("stop", null, "");
        pi.says(event("agent_end"));
        JsonObject check = pi.sentOne();
        assertEquals("get_state", check.getString("type"));
        answer(check, QUIET.copy().put("isStreaming", true));
        assertEquals(List.of(new Used(16, 2, 1500)), pi.happened());
        pi.says(event("agent_settled"));
        assertEquals(List.of(new Settled("stop", null)), pi.happened());
    }

    @Test
    void anOlderVersionIsAskedForItsState() {
        turn();
        pi.says(event("agent_start")).says(event("agent_end"));
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Settled("stop", null)), pi.happened());
        pi.protocol.prompt("next");
        pi.sent();
        pi.says(event("agent_settled"));
        assertEquals(List.of(), pi.happened(), "that was the last turn");
    }

    @Test
    void aRetryBelongsToTheTurn() {
        turn();
        pi.says(event("agent_start"));
        ended("error", "overloaded", "");
        pi.says(event("agent_end")).says(event("auto_retry_start"));
        answer(pi.sentOne(), QUIET);
        pi.says(event("agent_start"));
        ended("stop", null, "");
        pi.says(event("auto_retry_end")).says(event("agent_end"));
        answer(pi.sent().getLast(), QUIET);
        assertEquals(new Settled("stop", null), pi.happened().getLast());
    }

    @Test
    void aFailureAfterTheLastRetrySettlesWithItsReason() {
        turn();
        pi.says(event("agent_start"));
        ended("error", "overloaded", "");
        pi.says(event("agent_end")).says("{\"type\":\"auto_retry_end\",\"success\":false}");
        List<JsonObject> checks = pi.sent();
        answer(checks.getFirst(), QUIET);
        assertEquals(List.of(new Used(16, 2, 1500)), pi.happened(), "an older answer does not count");
        answer(checks.getLast(), QUIET);
        assertEquals(List.of(new Settled("error", "overloaded")), pi.happened());
    }

    @Test
    void aRunThatFollowsACompactionBelongsToTheTurn() {
        turn();
        pi.says(event("agent_start")).says(event("agent_end")).says(event("compaction_start"));
        answer(pi.sentOne(), QUIET.copy().put("isCompacting", true));
        pi.says("{\"type\":\"compaction_end\",\"willRetry\":true}");
        assertEquals(List.of(), pi.sent());
        pi.says(event("agent_start")).says(event("agent_end"));
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Settled("stop", null)), pi.happened());
    }

    @Test
    void aMessageForARunThatHasEndedStartsAnother() {
        turn();
        pi.says(event("agent_start")).says(event("agent_end"));
        JsonObject check = pi.sentOne();
        pi.protocol.steer("left");
        JsonObject steer = pi.sentOne();
        assertEquals("prompt", steer.getString("type"));
        assertEquals("steer", steer.getString("streamingBehavior"));
        answer(check, QUIET);
        pi.says(event("agent_settled"));
        assertEquals(List.of(), pi.happened(), "the message is on its way");
        answer(steer, new JsonObject());
        answer(pi.sentOne(), QUIET.copy().put("isStreaming", true));
        pi.says(event("agent_start")).says(event("agent_end"));
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Settled("stop", null)), pi.happened());
    }

    @Test
    void aMessageLeftInTheQueueIsDelivered() {
        turn();
        pi.says(event("agent_start")).says(event("agent_end"));
        answer(pi.sentOne(), QUIET.copy().put("pendingMessageCount", 1));
        JsonObject nudge = pi.sentOne();
        assertEquals("Continue.", nudge.getString("message"));
        pi.says(event("agent_start"));
        answer(nudge, new JsonObject());
        pi.says(event("agent_end"));
        answer(pi.sentOne(), QUIET.copy().put("pendingMessageCount", 1));
        assertEquals(List.of(new Settled("stop", null)), pi.happened(), "once is enough");
    }

    @Test
    void aPromptThatNeedsNoRunSettles() {
        turn();
        answer(prompt, new JsonObject());
        answer(pi.sentOne(), QUIET);
        assertEquals(List.of(new Settled("stop", null)), pi.happened());
    }

    @Test
    void aPromptThatIsRefusedSettlesWithTheReason() {
        turn();
        pi.says(new JsonObject()
                .put("type", "response")
                .put("id", prompt.getString("id"))
                .put("command", "prompt")
                .put("success", false)
                .put("error", "No API key"));
        assertEquals(List.of(new Settled("error", "No API key")), pi.happened());
    }

    @Test
    void anInterruptReachesARunThatHadNotStarted() {
        turn();
        pi.protocol.interrupt();
        assertEquals("abort", pi.sentOne().getString("type"));
        pi.says(event("agent_start"));
        assertEquals("abort", pi.sentOne().getString("type"));
        ended("aborted", "Request was aborted", "");
        pi.says(event("agent_end"));
        answer(pi.sentOne(), QUIET.copy().put("pendingMessageCount", 1));
        assertEquals(new Settled("aborted", null), pi.happened().getLast());
    }

    @Test
    void dialogsWithYesAndNoAreQuestions() {
        turn();
        pi.says(
                "{\"type\":\"extension_ui_request\",\"id\":\"u1\",\"method\":\"confirm\",\"title\":\"Sure?\",\"message\":\"rm\"}");
        pi.says("{\"type\":\"extension_ui_request\",\"id\":\"u2\",\"method\":\"select\",\"title\":\"Run?\","
                + "\"options\":[\"No\",\"Yes, once\"]}");
        assertEquals(
                new Asks("q1", null, null, "Sure?", new JsonObject().put("message", "rm")),
                pi.happened().getFirst());
        pi.protocol.answer("q1", false);
        assertEquals(
                new JsonObject("{\"type\":\"extension_ui_response\",\"id\":\"u1\",\"confirmed\":false}"), pi.sentOne());
        pi.protocol.answer("q2", true);
        assertEquals("Yes, once", pi.sentOne().getString("value"));
        pi.protocol.answer("q2", true);
        assertEquals(List.of(), pi.sent());
    }

    @Test
    void otherDialogsAreDismissed() {
        turn();
        pi.says("{\"type\":\"extension_ui_request\",\"id\":\"u1\",\"method\":\"input\",\"title\":\"Name?\"}");
        assertEquals(
                new JsonObject("{\"type\":\"extension_ui_response\",\"id\":\"u1\",\"cancelled\":true}"), pi.sentOne());
        pi.says("{\"type\":\"extension_ui_request\",\"id\":\"u2\",\"method\":\"notify\",\"message\":\"hi\"}");
        pi.says(
                "{\"type\":\"extension_ui_request\",\"id\":\"u3\",\"method\":\"select\",\"options\":[\"red\",\"blue\"]}");
        assertTrue(pi.sentOne().getBoolean("cancelled"));
        assertEquals(List.of(), pi.happened());
    }

    @Test
    void aNewMessageDismissesTheDialogs() {
        turn();
        pi.says("{\"type\":\"extension_ui_request\",\"id\":\"u1\",\"method\":\"confirm\",\"title\":\"Sure?\"}");
        pi.protocol.steer("left");
        assertTrue(pi.sent().getFirst().getBoolean("cancelled"));
    }

    @Test
    void onlySoManyDialogsWait() {
        turn();
        for (int i = 0; i <= PiDialogs.OPEN; i++) {
            pi.says("{\"type\":\"extension_ui_request\",\"id\":\"u\",\"method\":\"confirm\",\"title\":\"Sure?\"}");
        }
        assertEquals(PiDialogs.OPEN, pi.happened().size());
        assertTrue(pi.sentOne().getBoolean("cancelled"));
    }

    @Test
    void unknownAnswersAndEventsAreIgnored() {
        turn();
        pi.says("{\"type\":\"response\",\"id\":\"p99\",\"command\":\"prompt\",\"success\":true}")
                .says("{\"type\":\"response\",\"command\":\"parse\",\"success\":false,\"error\":\"x\"}")
                .says("{\"type\":\"response\",\"id\":7,\"success\":true}")
                .says("{\"type\":\"something\"}")
                .says("{\"type\":[]}")
                .says("{\"type\":\"message_end\",\"message\":{\"role\":\"assistant\",\"content\":7,\"usage\":[]}}")
                .says("{\"type\":\"tool_execution_end\",\"toolCallId\":4}");
        assertEquals(List.of(), pi.happened());
        assertEquals(List.of(), pi.sent());
    }

    @Test
    void wishesAtTheWrongTimeAreDefects() {
        assertThrows(IllegalStateException.class, () -> pi.protocol.prompt("early"));
        turn();
        assertTrue(pi.protocol.canSteer());
        assertThrows(IllegalStateException.class, () -> pi.protocol.prompt("second"));
    }

    @Test
    void anEndDuringATurnBreaksIt() {
        turn();
        pi.protocol.ended();
        Broken broken = assertInstanceOf(Broken.class, pi.last());
        assertTrue(broken.reason().endsWith("it ended during the turn"));
        assertFalse(broken.sessionMissing());
        pi.happened();
        pi.says(event("agent_settled"));
        pi.protocol.interrupt();
        assertEquals(List.of(), pi.happened());
    }

    private JsonObject prompt = new JsonObject();

    private void turn() {
        pi.protocol.open("/w", null);
        answer(pi.sentOne(), QUIET);
        pi.protocol.prompt("hello");
        prompt = pi.sentOne();
        pi.happened();
    }

    private void answer(JsonObject command, JsonObject data) {
        pi.says(new JsonObject()
                .put("id", command.getString("id"))
                .put("type", "response")
                .put("command", command.getString("type"))
                .put("success", true)
                .put("data", data));
    }

    private void delta(String type, String text) {
        pi.says(new JsonObject()
                .put("type", "message_update")
                .put("assistantMessageEvent", new JsonObject().put("type", type).put("delta", text)));
    }

    private void tool(String type, String fields) {
        pi.says("{\"type\":\"" + type + "\",\"toolCallId\":\"t\",\"toolName\":\"bash\"," + fields + "}");
    }

    private void ended(String stopReason, @Nullable String error, String content) {
        var message = new JsonObject("{\"role\":\"assistant\",\"timestamp\":17,\"content\":[" + content
                + "],\"usage\":{\"input\":10,\"output\":2,\"cacheRead\":5,\"cacheWrite\":1,"
                + "\"cost\":{\"total\":0.0015}}}");
        pi.says(new JsonObject()
                .put("type", "message_end")
                .put("message", message.put("stopReason", stopReason).put("errorMessage", error)));
    }

    private static String event(String type) {
        return "{\"type\":\"" + type + "\"}";
    }
}
