package io.penstock.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.sample.AgentProgram.Answered;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each line that the sample agent obeys, as its client sees it. */
class SampleAgentTest {

    @TempDir
    Path cwd = Path.of("");

    private Answered prompted(String... lines) {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            Answered answered = agent.prompt(lines);
            agent.endInput();
            assertEquals(0, agent.exitCode());
            return answered;
        }
    }

    @Test
    void anyOtherLineIsRepeated() {
        Answered answered = prompted("Count the words — 数える.");
        assertEquals("You said: Count the words — 数える.", answered.said());
        assertEquals("end_turn", answered.stopReason());
        assertEquals("You said: /unknown x", prompted("/unknown x").said());
    }

    @Test
    void messagesInARowAreLinesOfOneAndThoughtsAreApart() {
        Answered answered = prompted("/say one", "", "two", "/think hm", "/say three");
        assertEquals("one\nYou said: two\nthree", answered.said());
        assertEquals("hm", answered.said("agent_thought_chunk"));
    }

    @Test
    void aToolIsPendingThenInProgressThenCompleted() {
        Answered answered = prompted("/tool search all of it", "/tool count");
        Map<?, ?> call = answered.updates("tool_call").getFirst();
        assertEquals("search", call.get("name"));
        assertEquals("pending", call.get("status"));
        List<Map<?, ?>> updates = answered.updates("tool_call_update");
        assertEquals(
                List.of("in_progress", "completed", "in_progress", "completed"),
                updates.stream().map(update -> update.get("status")).toList());
        assertEquals(call.get("toolCallId"), updates.get(1).get("toolCallId"));
        Map<?, ?> content = (Map<?, ?>) Json.list(updates.get(1), "content").getFirst();
        assertEquals("all of it", Json.text(Json.in(content, "content"), "text"));
    }

    @Test
    void aPlanHasItsSteps() {
        List<?> entries =
                Json.list(prompted("/plan read; write it ;").updates("plan").getFirst(), "entries");
        assertEquals(
                List.of("read", "write it"),
                entries.stream()
                        .map(entry -> ((Map<?, ?>) entry).get("content"))
                        .toList());
    }

    @Test
    void usageIsOfTheTurnAndCostASumOfTheConversation() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            Answered first = agent.prompt("/usage 1000 50 0.25", "/usage 1 2 0.5");
            Map<?, ?> usage = Json.in(first.result(), "usage");
            assertEquals("1001", String.valueOf(usage.get("inputTokens")));
            assertEquals("52", String.valueOf(usage.get("outputTokens")));
            assertEquals("1053", String.valueOf(usage.get("totalTokens")));
            Answered second = agent.prompt("/usage 10 20 1");
            assertEquals("10", String.valueOf(Json.in(second.result(), "usage").get("inputTokens")));
            Map<?, ?> cost = Json.in(second.updates("usage_update").getFirst(), "cost");
            assertEquals("1.75 USD", cost.get("amount") + " " + cost.get("currency"));
            assertEquals(Map.of(), Json.in(agent.prompt("nothing used").result(), "usage"));
        }
    }

    @Test
    void aQuestionIsAllowedDeniedOrRefused() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int prompt = agent.begin("/ask May I?");
            Map<?, ?> asked = agent.asked("session/request_permission");
            Map<?, ?> call = Json.in(Json.in(asked, "params"), "toolCall");
            assertEquals("May I?", call.get("title"));
            agent.reply(asked, outcome("allow"));
            assertEquals("allowed", agent.answered(prompt).said());

            prompt = agent.begin("/ask And now?");
            agent.reply(agent.asked("session/request_permission"), outcome("deny"));
            Answered denied = agent.answered(prompt);
            assertEquals("denied", denied.said());
            assertEquals("failed", denied.updates("tool_call_update").getFirst().get("status"));

            prompt = agent.begin("/ask Still?");
            agent.refuse(agent.asked("session/request_permission"), "not today");
            assertEquals("denied: not today", agent.answered(prompt).said());

            prompt = agent.begin("/ask Once more?", "/say not reached");
            agent.reply(
                    agent.asked("session/request_permission"),
                    Json.object("outcome", Json.object("outcome", "cancelled")));
            assertEquals("cancelled", agent.answered(prompt).stopReason());
        }
    }

    private static Map<String, Object> outcome(String option) {
        return Json.object("outcome", Json.object("outcome", "selected", "optionId", option));
    }

    @Test
    void aSleepEndsEarlyAtACancelAndTheNextPromptIsObeyed() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int prompt = agent.begin("/say asleep", "/sleep 600000", "/say awake");
            agent.next();
            agent.cancel();
            Answered answered = agent.answered(prompt);
            assertEquals("cancelled", answered.stopReason());
            assertEquals("", answered.said());
            assertEquals(
                    "You said: still there",
                    agent.prompt("/sleep 1", "still there").said());
        }
    }

    @Test
    void aCancelWithoutATurnIsIgnored() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            agent.cancel();
            assertEquals("end_turn", agent.prompt("hello").stopReason());
        }
    }

    @Test
    void aHangIgnoresTheCancel() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            agent.begin("/say before", "/hang", "/say after");
            agent.next();
            // Its thought: a cancel that came between the lines would end the turn.
            agent.next();
            agent.cancel();
            // Their answers show that the cancel was read.
            assertEquals(List.of(), agent.call("session/other", Json.object()).before());
            assertEquals(Refused.INVALID_REQUEST, agent.prompt("still running").errorCode());
        }
    }

    @Test
    void aSecondPromptDuringATurnIsRefused() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int first = agent.begin("/sleep 600000");
            assertEquals(Refused.INVALID_REQUEST, agent.prompt("too early").errorCode());
            agent.cancel();
            assertEquals("cancelled", agent.answered(first).stopReason());
        }
    }

    @Test
    void filesAreWrittenByTheClientIfItOffersThat() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int prompt = agent.begin("/file notes/a.txt hello there");
            Map<?, ?> asked = agent.asked("fs/write_text_file");
            assertEquals(cwd.resolve("notes/a.txt").toString(), Json.text(Json.in(asked, "params"), "path"));
            assertEquals("hello there\n", Json.text(Json.in(asked, "params"), "content"));
            agent.reply(asked, Json.object());
            assertEquals("wrote notes/a.txt", agent.answered(prompt).said());
            prompt = agent.begin("/file ../a.txt x");
            agent.refuse(agent.asked("fs/write_text_file"), "outside of the workspace");
            assertEquals(
                    "did not write ../a.txt: outside of the workspace",
                    agent.answered(prompt).said());
        }
    }

    @Test
    void commandsAreRunByTheClientAndReleased() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int prompt = agent.begin("/run make test");
            Map<?, ?> create = agent.asked("terminal/create");
            assertEquals(List.of("-c", "make test"), Json.list(Json.in(create, "params"), "args"));
            agent.reply(create, Json.object("terminalId", "t1"));
            agent.reply(agent.asked("terminal/wait_for_exit"), Json.object("exitCode", 2));
            agent.reply(agent.asked("terminal/output"), Json.object("output", "failed\n", "truncated", false));
            Answered answered = agent.answered(prompt);
            assertEquals("failed\nexit code 2", answered.said());
            assertTrue(answered.before().toString().contains("terminal/release"), answered::toString);
        }
    }

    @Test
    void aCancelKillsTheRunningCommand() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            int prompt = agent.begin("/run sleep 600");
            agent.reply(agent.asked("terminal/create"), Json.object("terminalId", "t1"));
            agent.asked("terminal/wait_for_exit");
            agent.cancel();
            agent.reply(agent.asked("terminal/kill"), Json.object());
            agent.reply(agent.asked("terminal/release"), Json.object());
            assertEquals("cancelled", agent.answered(prompt).stopReason());
        }
    }

    @Test
    void aClientThatOffersNothingIsAskedForNothing() {
        try (var agent = new AgentProgram(cwd)) {
            agent.initialize(false);
            String id = Json.text(agent.call("session/new", agent.folder()).result(), "sessionId");
            assertEquals(0, agent.load(id).errorCode());
            assertEquals(
                    "The client writes no files.\nThe client runs no commands.",
                    agent.prompt("/file a b", "/run make").said());
        }
    }

    @Test
    void theModelAndTheLevelOfThinkingAreThoseOfTheCommandLine() {
        try (AgentProgram agent = AgentProgram.ready(cwd, "--model", "large", "--thinking", "high")) {
            assertEquals("model large, thinking high", agent.prompt("/model").said());
        }
        try (var agent = new AgentProgram(cwd, "--speed", "5")) {
            assertEquals(2, agent.exitCode());
        }
    }

    @Test
    void aCrashEndsTheProgramWithoutAnAnswer() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            agent.begin("/say last words", "/crash", "/say not reached");
            assertEquals(1, agent.exitCode());
            assertTrue(agent.next().toString().contains("last words"));
        }
    }

    @Test
    void aFloodHasExactlyItsBytesAndIsNotKept() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            Answered flood = agent.prompt("/flood 3000001");
            assertEquals(3_000_001, flood.said().length());
            assertEquals("end_turn", flood.stopReason());
            assertEquals("", agent.load(agent.conversation()).said());
        }
    }

    @Test
    void garbageIsNoJson() {
        try (AgentProgram agent = AgentProgram.ready(cwd)) {
            agent.begin("/garbage", "/stray");
            byte[] garbage = agent.nextLine();
            assertThrows(IOException.class, () -> Json.read(garbage));
            assertTrue(agent.next().containsKey("result"));
        }
    }

    @Test
    void wrongNumbersAreExplained() {
        assertEquals(
                "/sleep needs milliseconds, not \"soon\"\n/flood needs a number of bytes, not \"-1\"\n"
                        + "/usage needs input tokens, output tokens and US dollars, not \"1 2\"",
                prompted("/sleep soon", "/flood -1", "/usage 1 2").said());
    }

    @Test
    void wrongRequestsAreRefusedAndTheProgramGoesOn() {
        try (var agent = new AgentProgram(cwd)) {
            assertEquals(
                    Refused.INVALID_REQUEST,
                    agent.call("session/new", agent.folder()).errorCode());
            agent.initialize(true);
            agent.send("not JSON\n".getBytes(StandardCharsets.UTF_8));
            assertEquals("-32700", error(agent.next()));
            agent.send("[1]\n".getBytes(StandardCharsets.UTF_8));
            assertEquals("-32700", error(agent.next()));
            agent.send(("\"" + "x".repeat(Lines.LINE_BYTES) + "\"\n").getBytes(StandardCharsets.UTF_8));
            assertEquals("-32600", error(agent.next()));
            assertEquals(
                    Refused.INVALID_PARAMS,
                    agent.call("session/new", Json.object("cwd", "here")).errorCode());
            assertEquals(
                    Refused.RESOURCE_NOT_FOUND,
                    agent.call("session/prompt", Json.object("sessionId", "sample-1"))
                            .errorCode());
            assertEquals(
                    Refused.METHOD_NOT_FOUND,
                    agent.call("session/fly", Json.object()).errorCode());
            assertEquals(0, agent.call("session/new", agent.folder()).errorCode());
        }
    }

    private static String error(Map<?, ?> response) {
        return String.valueOf(Json.in(response, "error").get("code"));
    }
}
