package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.tools.agents.TaskToolLimits;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.penstock.server.tools.shell.ServerTools;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract task-tools, sentence by sentence, over HTTP and with the sample agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class TaskToolsTest {

    /** In the event of a message of an agent. */
    private static final String SAID = "\"role\":\"assistant\"";

    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private RunningEdge edge;
    private AgentTools tools;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        tools = AgentTools.of(edge, "first");
    }

    /** Each test is a session of its own. */
    @BeforeEach
    void newSession() {
        tools = tools.in("session-" + SESSIONS.incrementAndGet());
    }

    // Task lifecycle

    @Test
    void spawnReturnsIdLabelAndStatusAtOnce() {
        JsonObject spawned = tools.call("task_spawn", "task", "/hang", "label", "epstein-research");
        assertEquals(List.of("task_id", "label", "status"), List.copyOf(spawned.fieldNames()));
        assertEquals("epstein-research", spawned.getString("label"));
        assertEquals("spawned", spawned.getString("status"));
        UUID.fromString(spawned.getString("task_id"));
        assertTrue(Set.of("spawned", "running")
                .contains(tools.status(spawned.getString("task_id")).getString("status")));
        tools.call("task_kill", "label", "epstein-research");
    }

    @Test
    void taskThatSettlesIsCompleted() {
        JsonObject joined = tools.join(tools.spawn("Find the mentions"));
        assertEquals("completed", joined.getString("status"));
        assertEquals("You said: Find the mentions", joined.getString("result"));
        assertNull(joined.getString("error"));
    }

    @Test
    void taskWhoseAgentDiesIsFailedWithPartialResult() {
        JsonObject joined = tools.join(tools.spawn("/say half of it\n/crash"));
        assertEquals("failed", joined.getString("status"));
        assertNull(joined.getString("result"));
        assertEquals("half of it", joined.getString("partial_result"));
        assertTrue(joined.getString("error").contains("during a turn"), joined::encode);
    }

    @Test
    void taskThatIsStoppedIsKilled() {
        String task = tools.spawn("/say 23 documents\n/hang");
        tools.await(task, SAID);
        JsonObject killed = tools.call("task_kill", "task_id", task, "reason", "enough");
        assertEquals(List.of("task_id", "status", "partial_result"), List.copyOf(killed.fieldNames()));
        assertEquals("killed", killed.getString("status"));
        assertEquals("23 documents", killed.getString("partial_result"));
        assertEquals("killed", tools.status(task).getString("status"));
        tools.await(task, "\"reason\":\"enough\"");
    }

    @Test
    void taskThatTakesTooLongEndsAsTimeout() {
        String task = tools.spawn("/say so far\n/hang", "timeout_secs", 1);
        JsonObject joined = tools.join(task);
        assertEquals("timeout", joined.getString("status"));
        // On a busy machine, the second may be over before the agent has said anything.
        boolean said = edge.get("/tasks/" + task + "/events?until=end").body().contains(SAID);
        assertEquals(said ? "so far" : null, joined.getString("partial_result"));
    }

    // Task identity

    @Test
    void labelsBelongToTheirSession() {
        String mine = tools.spawn("/say mine", "label", "same");
        AgentTools others = tools.in(tools.session() + "-other");
        String theirs = others.spawn("/say theirs", "label", "same");
        assertEquals(mine, tools.call("task_join", "label", "same").getString("task_id"));
        assertEquals(theirs, others.call("task_join", "label", "same").getString("task_id"));
        String sentence = others.refused(404, "task_join", "task_id", mine);
        assertTrue(sentence.contains(mine) && sentence.contains("task_list"), sentence);
        others.refused(404, "task_kill", "task_id", mine);
        others.refused(404, "task_steer", "task_id", mine, "message", "hello");
        others.refused(404, "task_status", "task_id", mine);
    }

    @Test
    void labelMeansTheLiveTaskElseTheNewest() {
        String first = tools.spawn("/say one", "label", "again");
        tools.join(first);
        String second = tools.spawn("/say two", "label", "again");
        tools.join(second);
        assertEquals(second, tools.call("task_join", "label", "again").getString("task_id"));
        String live = tools.spawn("/hang", "label", "again");
        String newer = tools.spawn("/say three", "label", "other");
        tools.join(newer);
        assertEquals(live, tools.call("task_kill", "label", "again").getString("task_id"));
    }

    @Test
    void twoLiveTasksWithOneLabelAreAnErrorThatNamesThem() {
        String one = tools.spawn("/hang", "label", "twin");
        String two = tools.spawn("/hang", "label", "twin");
        String sentence = tools.refused(400, "task_kill", "label", "twin");
        assertTrue(sentence.contains(one) && sentence.contains(two), sentence);
        tools.call("task_kill", "task_id", one);
        assertEquals(two, tools.call("task_kill", "label", "twin").getString("task_id"));
    }

    @Test
    void taskIsNamedByEitherIdOrLabel() {
        assertTrue(tools.refused(400, "task_join").contains("neither"));
        String task = tools.spawn("/say x", "label", "both");
        assertTrue(tools.refused(400, "task_join", "task_id", task, "label", "both")
                .contains("both"));
        tools.refused(404, "task_join", "label", "nothing-has-it");
        tools.join(task);
    }

    // task_spawn

    @Test
    void contextIsPassedApartFromTheTask() {
        String result = tools.join(tools.spawn("/say the task", "context", "/say a line of a file"))
                .getString("result");
        assertTrue(result.startsWith("the task"), result);
        assertTrue(result.contains("You said: ----- Context for this task"), result);
        assertTrue(result.indexOf("a line of a file") > result.indexOf("Context"), result);
    }

    @Test
    void taskAndContextTogetherHaveALimit() {
        String sentence = tools.refused(400, "task_spawn", "task", "x", "context", "ü".repeat(70_000));
        assertTrue(sentence.contains("131072") && sentence.contains("artifact_store"), sentence);
        assertTrue(tools.refused(400, "task_spawn", "task", " ").contains("task is empty"));
    }

    @Test
    void modelAndThinkingReachTheProgram() {
        String task = tools.spawn("/model", "model", "claude-sonnet-4", "thinking", "high");
        assertEquals("model claude-sonnet-4, thinking high", tools.join(task).getString("result"));
        assertEquals("claude-sonnet-4", tools.status(task).getString("model"));
        assertTrue(tools.refused(400, "task_spawn", "task", "x", "thinking", "deep")
                .contains("off, low, medium or high"));
    }

    @Test
    void timeoutHasADefaultAndALimit() {
        JsonObject schema = Objects.requireNonNull(tools.schemas().get("task_spawn"))
                .getJsonObject("input_schema")
                .getJsonObject("properties")
                .getJsonObject("timeout_secs");
        assertEquals(3600, schema.getInteger("default"));
        assertEquals(86_400, schema.getInteger("maximum"));
        tools.refused(400, "task_spawn", "task", "x", "timeout_secs", 86_401);
    }

    @Test
    void unknownProfileIsAnErrorThatListsTheKnownOnes() {
        String sentence = tools.refused(400, "task_spawn", "task", "x", "profile", "hal");
        assertTrue(sentence.contains("hal") && sentence.contains("sample"), sentence);
    }

    @Test
    void childGetsNoneOfItsParentsConversation() {
        tools.join(tools.spawn("/say the parent's secret"));
        assertFalse(tools.join(tools.spawn("/history")).getString("result").contains("secret"));
    }

    @Test
    void childGetsNoneOfTheServersVariables() {
        String result = tools.join(tools.spawn("/run env")).getString("result");
        assertTrue(result.contains("PATH="), result);
        Set<String> passedOn = Set.of("PATH", "HOME", "LANG", "USER", "SHELL", "TMPDIR", "TERM", "PWD", "_");
        for (String name : System.getenv().keySet()) {
            assertTrue(
                    passedOn.contains(name) || name.startsWith("LC_") || !result.contains("\n" + name + "="), result);
        }
    }

    @Test
    void disabledToolsAreNotOffered() {
        var disabled = new TaskToolSettings(false, 5, 50, 3_600, 86_400, 3, 86_400);
        List<String> names =
                ServerTools.of(edge.vertx, edge.tasks(), edge.agents(), edge.sessions, disabled).list().stream()
                        .map(tool -> ((JsonObject) tool).getString("name"))
                        .toList();
        assertEquals(List.of("shell", "artifact_fetch", "artifact_store"), names);
    }

    // task_status and task_list

    @Test
    void statusShowsStartElapsedTimeModelAndProgress() {
        String task = tools.spawn("/say 47 documents\n/tool grep Drokova\n/hang", "label", "drokova", "model", "m1");
        tools.await(task, "\"completed\"");
        JsonObject status = tools.status(task);
        assertEquals("drokova", status.getString("label"));
        assertEquals("running", status.getString("status"));
        assertTrue(status.getString("started_at").endsWith("Z"));
        assertTrue(status.getLong("elapsed_secs") >= 0);
        assertEquals("m1", status.getString("model"));
        assertEquals("sample", status.getString("profile"));
        assertEquals("grep (1 tool call)", status.getString("progress"));
        assertEquals(1, status.getInteger("tool_calls"));
        assertEquals(
                status,
                AgentTools.list(tools.call("task_status", "label", "drokova"), "tasks")
                        .getFirst()
                        .put("elapsed_secs", status.getLong("elapsed_secs")));
        tools.call("task_kill", "task_id", task);
    }

    @Test
    void listHasTheTasksOfTheSessionNewestFirst() {
        String first = tools.spawn("/say 1");
        String second = tools.spawn("/hang");
        String third = tools.spawn("echo", "command", "echo out");
        tools.in(tools.session() + "-other").spawn("/say 4");
        edge.post("/tools/shell", "{\"command\":\"true\",\"session_id\":\"" + tools.session() + "\"}");
        tools.join(first);
        tools.join(third);
        assertEquals(List.of(third, second, first), ids(tools.call("task_list")));
        assertEquals(List.of(third, second, first), ids(tools.call("task_status")));
        assertEquals(List.of(third, second), ids(tools.call("task_list", "limit", 2)));
        assertEquals(List.of(second), ids(tools.call("task_list", "active_only", true)));
        tools.call("task_kill", "task_id", second);
        assertEquals(List.of(), ids(tools.call("task_list", "active_only", true)));
    }

    private static List<String> ids(JsonObject answer) {
        return AgentTools.list(answer, "tasks").stream()
                .map(task -> task.getString("task_id"))
                .toList();
    }

    @Test
    void listHasTenTasksUnlessMoreAreWanted() {
        List<String> tasks = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            tasks.add(tools.spawn("true", "command", "true"));
        }
        tasks.forEach(tools::join);
        assertEquals(10, ids(tools.call("task_list")).size());
        assertEquals(tasks.reversed(), ids(tools.call("task_list", "limit", 100)));
        tools.refused(400, "task_list", "limit", 101);
    }

    // task_join

    @Test
    void joinReturnsResultArtifactsAndUsage() throws Exception {
        String task =
                tools.spawn("/file research/summary.md it is all here\n/usage 45000 3200 0.12\n/say Found 12 mentions");
        JsonObject joined = tools.join(task);
        assertEquals("completed", joined.getString("status"), joined::encode);
        assertTrue(joined.getString("result").endsWith("Found 12 mentions"), joined::encode);
        assertEquals(
                List.of(new JsonObject().put("type", "file").put("path", "research/summary.md")),
                AgentTools.list(joined, "artifacts"));
        assertEquals(
                new JsonObject()
                        .put("input_tokens", 45_000)
                        .put("output_tokens", 3_200)
                        .put("cost_usd", 0.12),
                joined.getJsonObject("usage"));
        assertEquals("it is all here\n", Files.readString(edge.workspace.resolve("research/summary.md")));
    }

    @Test
    void joinReturnsThePresentStatusWhenTheTimeIsUp() {
        String task = tools.spawn("/say so far\n/hang");
        tools.await(task, SAID);
        JsonObject joined = tools.call("task_join", "task_id", task, "timeout_ms", 100);
        assertEquals("running", joined.getString("status"));
        assertNull(joined.getString("result"));
        assertEquals("so far", joined.getString("progress"));
        assertEquals(
                "running",
                tools.call("task_join", "task_id", task, "timeout_ms", 0).getString("status"));
        tools.refused(400, "task_join", "task_id", task, "timeout_ms", 600_001);
        tools.call("task_kill", "task_id", task);
    }

    @Test
    void joinReturnsAsSoonAsTheTaskEnds() {
        String task = tools.spawn("/ask may I?");
        var joined = CompletableFuture.supplyAsync(() -> tools.join(task));
        String other = tools.spawn("/say quick");
        assertEquals("quick", tools.join(other).getString("result"));
        assertEquals("completed", joined.join().getString("status"));
    }

    @Test
    void resultBeyondTheLimitIsCutAndCanBeFetched() {
        String text = "word ".repeat(5_000);
        JsonObject joined = tools.join(tools.spawn("/say " + text.strip()));
        String result = joined.getString("result");
        assertTrue(result.length() <= TaskToolLimits.RESULT_CHARS, "characters: " + result.length());
        assertTrue(result.contains("characters are left out here"), result);
        JsonObject stored = AgentTools.list(joined, "artifacts").getFirst();
        assertEquals("result", stored.getString("type"));
        assertTrue(result.contains(stored.getString("id")));
        JsonObject whole = tools.call("artifact_fetch", "id", stored.getString("id"));
        assertEquals(text.strip(), whole.getString("content"));
    }

    // task_kill

    @Test
    void killOfAnEndedTaskChangesNothing() {
        String task = tools.spawn("/say done");
        tools.join(task);
        JsonObject killed = tools.call("task_kill", "task_id", task);
        assertEquals("completed", killed.getString("status"));
        assertNull(killed.getString("partial_result"));
    }

    @Test
    void killTakesDescendantsThreeDeepWithIt() {
        String root = tools.spawn("/hang");
        List<String> all = new ArrayList<>(List.of(root));
        for (int depth = 1; depth <= 3; depth++) {
            all.add(tools.spawn("/hang", "parent_task_id", all.getLast()));
        }
        all.add(tools.spawn("sleep", "command", "sleep 600", "parent_task_id", all.get(2)));
        for (String task : all) {
            tools.await(task, "\"started_at_ms\":1");
        }
        assertEquals("killed", tools.call("task_kill", "task_id", root).getString("status"));
        for (String task : all) {
            assertEquals("killed", tools.join(task).getString("status"));
        }
    }

    @Test
    void killReachesWhatAnEndedTaskHasStarted() {
        String root = tools.spawn("/hang");
        String child = tools.spawn("/sleep 600000", "parent_task_id", root);
        String grandchild = tools.spawn("/hang", "parent_task_id", child);
        String last = tools.spawn("sleep", "command", "sleep 600", "parent_task_id", grandchild);
        tools.call("task_steer", "task_id", child, "message", "/say done");
        assertEquals("completed", tools.join(child).getString("status"));
        tools.call("task_kill", "task_id", root);
        for (String task : List.of(root, grandchild, last)) {
            assertEquals("killed", tools.join(task).getString("status"));
        }
        assertEquals("completed", tools.join(child).getString("status"));
    }

    @Test
    void timeoutTakesDescendantsWithIt() {
        String root = tools.spawn("/hang", "timeout_secs", 3);
        String child = tools.spawn("/hang", "parent_task_id", root);
        String grandchild = tools.spawn("sleep", "command", "sleep 600", "parent_task_id", child);
        assertEquals("timeout", tools.join(root).getString("status"));
        assertEquals("killed", tools.join(child).getString("status"));
        assertEquals("killed", tools.join(grandchild).getString("status"));
    }

    @Test
    void childOfATaskThatIsBeingKilledIsKilledToo() {
        String root = tools.spawn("/hang");
        tools.await(root, "task_turn_started");
        List<CompletableFuture<HttpResponse<String>>> spawns = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> edge.post(
                                "/tools/task_spawn",
                                new JsonObject()
                                        .put("session_id", tools.session())
                                        .put("task", "sleep")
                                        .put("command", "sleep 600")
                                        .put("parent_task_id", root)
                                        .encode())))
                .limit(16)
                .toList();
        tools.call("task_kill", "task_id", root);
        for (CompletableFuture<HttpResponse<String>> spawn : spawns) {
            HttpResponse<String> answer = spawn.join();
            if (answer.statusCode() == 200) {
                String child = new JsonObject(answer.body()).getString("task_id");
                assertEquals("killed", tools.join(child).getString("status"));
            } else {
                assertEquals(409, answer.statusCode(), answer.body());
            }
        }
    }

    @Test
    void killOfACommandReturnsItsOutput() {
        String task = tools.spawn("count", "command", "echo one; echo t''wo; sleep 600");
        tools.await(task, "two");
        JsonObject killed = tools.call("task_kill", "task_id", task);
        assertEquals("killed", killed.getString("status"));
        assertEquals("one\ntwo\n", killed.getString("partial_result"));
    }

    // task_steer

    @Test
    void steerAddsAnInstructionToTheRunningTask() {
        String task = tools.spawn("/say searching\n/sleep 600000", "label", "drokova-research");
        tools.await(task, SAID);
        JsonObject steered =
                tools.call("task_steer", "label", "drokova-research", "message", "/say also Day One Ventures");
        assertEquals("running", steered.getString("status"));
        assertEquals(true, steered.getBoolean("delivered"));
        JsonObject joined = tools.join(task);
        assertEquals("completed", joined.getString("status"));
        assertTrue(joined.getString("result").contains("also Day One Ventures"), joined::encode);
        tools.await(task, "\"kind\":\"steer\"");
    }

    @Test
    void steerReachesATaskThatWasJustSpawned() {
        String task = tools.spawn("/sleep 600000");
        tools.call("task_steer", "task_id", task, "message", "/say soon");
        assertTrue(tools.join(task).getString("result").contains("soon"));
    }

    @Test
    void onlyARunningAgentCanBeSteered() {
        String task = tools.spawn("/say done");
        tools.join(task);
        assertEquals(
                "Only a running task can be steered. Current status: completed",
                tools.refused(409, "task_steer", "task_id", task, "message", "more"));
        String command = tools.spawn("sleep", "command", "sleep 600");
        assertTrue(tools.refused(400, "task_steer", "task_id", command, "message", "more")
                .contains("command"));
        assertTrue(tools.refused(400, "task_steer", "task_id", command, "message", " ")
                .contains("message is empty"));
        tools.call("task_kill", "task_id", command);
    }

    // Commands with the same tools

    @Test
    void commandIsATaskOfTheSameTools() {
        String task = tools.spawn("count the lines", "label", "count", "command", "echo out; echo err >&2; exit 3");
        JsonObject joined = tools.call("task_join", "label", "count");
        assertEquals("failed", joined.getString("status"));
        assertEquals(3, joined.getInteger("exit_code"));
        assertEquals("out\n[stderr]\nerr\n", joined.getString("result"));
        assertNull(joined.getJsonObject("usage"));
        assertEquals(
                List.of(task + ".stdout", task + ".stderr"),
                AgentTools.list(joined, "artifacts").stream()
                        .map(artifact -> artifact.getString("id"))
                        .toList());
        assertEquals("count the lines", tools.status(task).getString("title"));
        assertTrue(tools.refused(400, "task_spawn", "task", "x", "command", "ls", "model", "m")
                .contains("model"));
    }

    @Test
    void outputOfACommandIsReadableAndBounded() {
        String task = tools.spawn(
                "progress", "command", "printf '1%%\\r2%%\\r3%%\\n'; printf '\\033[31mred\\033[0m\\n'; seq 1 60000");
        JsonObject joined = tools.join(task);
        String result = joined.getString("result");
        assertTrue(result.length() <= TaskToolLimits.RESULT_CHARS);
        assertTrue(result.startsWith("3%\nred\n1\n2\n"), result.substring(0, 40));
        assertTrue(result.endsWith("59999\n60000\n"));
        assertTrue(result.contains("artifact_fetch with the id " + task + ".stdout"));
        String running = tools.spawn("bar", "command", "printf 'a\\n10%%\\r20%%'; sleep 600");
        // Its output, not its command, and all of it: bash writes line by line.
        tools.await(running, "20%\"");
        assertEquals("20%", tools.status(running).getString("progress"));
        tools.call("task_kill", "task_id", running);
    }

    // Notification flow

    @Test
    void endIsNotifiedOnceWithSummaryAndHint() {
        String task = tools.spawn("/say Found 12 Drokova mentions", "label", "drokova-research");
        tools.join(task);
        List<JsonObject> items = tools.items(1);
        assertEquals(1, items.size());
        String text = items.getFirst().getString("text");
        assertTrue(text.contains("Background task \"drokova-research\" completed ("), text);
        assertTrue(text.contains("Summary: Found 12 Drokova mentions"), text);
        assertTrue(text.endsWith("Use task_join(label: \"drokova-research\") for full results."), text);
    }

    @Test
    void notifyFalseLeavesNoNotification() {
        tools.join(tools.spawn("/say quiet", "notify", false));
        tools.join(tools.spawn("quiet", "command", "true", "notify", false));
        String loud = tools.spawn("/say loud");
        tools.join(loud);
        List<JsonObject> items = tools.items(1);
        assertEquals(
                List.of(loud),
                items.stream().map(item -> item.getString("task_id")).toList());
    }

    // Waking an agent

    @Test
    void endOfATaskWakesTheAgentThatItNames() {
        String agent = tools.spawn("/say waiting");
        tools.join(agent);
        String command = tools.spawn(
                "build",
                "command",
                "exit 2",
                "on_end",
                new JsonObject().put("resume", agent).put("message", "/say woken"));
        tools.join(command);
        // Its first run has ended, which ends the events that are read up to an end.
        edge.await(agent, "\"kind\":\"resume\"");
        JsonObject woken = tools.join(agent);
        assertTrue(woken.getString("result").contains("woken"), woken::encode);
        assertTrue(woken.getString("result").contains(command), woken::encode);
        assertTrue(tools.refused(
                        400,
                        "task_spawn",
                        "task",
                        "x",
                        "on_end",
                        new JsonObject().put("resume", command).put("message", "m"))
                .contains("agent task"));
        tools.refused(
                404,
                "task_spawn",
                "task",
                "x",
                "on_end",
                new JsonObject().put("resume", "nobody").put("message", "m"));
        assertTrue(tools.refused(400, "task_spawn", "task", "x", "on_end", new JsonObject().put("resume", agent))
                .contains("on_end.message"));
    }

    // Edge cases

    @Test
    void tasksOfAnEndedSessionContinueAndKeepTheirResults() {
        String task = tools.spawn("/sleep 300\n/say done");
        tools.await(task, "\"started_at_ms\":1");
        edge.post("/sessions/" + tools.session() + "/end", "{}");
        tools.await(task, "succeeded");
        assertEquals("done", tools.join(task).getString("result"));
    }

    @Test
    void subTasksHaveADepthLimitOfThree() {
        String task = tools.spawn("/hang");
        List<String> all = new ArrayList<>(List.of(task));
        for (int depth = 1; depth <= 3; depth++) {
            all.add(tools.spawn("/hang", "parent_task_id", all.getLast()));
        }
        for (Object[] call : List.of(
                new Object[] {"task", "x", "parent_task_id", all.getLast()},
                new Object[] {"task", "x", "command", "true", "parent_task_id", all.getLast()})) {
            String sentence = tools.refused(429, "task_spawn", call);
            assertTrue(sentence.contains("at most 3 deep"), sentence);
        }
        tools.call("task_kill", "task_id", task);
        for (String each : all) {
            assertEquals("killed", tools.join(each).getString("status"));
        }
        assertTrue(tools.refused(409, "task_spawn", "task", "x", "parent_task_id", task)
                .contains("ended"));
        tools.refused(404, "task_spawn", "task", "x", "parent_task_id", "nobody");
    }

    @Test
    void sixthTaskOfASessionWaitsForRoom() {
        List<String> running = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            running.add(tools.spawn("/hang"));
        }
        String sixth = tools.spawn("/say my turn");
        for (String task : running) {
            tools.await(task, "task_turn_started");
        }
        assertEquals("spawned", tools.status(sixth).getString("status"));
        AgentTools others = tools.in(tools.session() + "-other");
        assertEquals("free", others.join(others.spawn("/say free")).getString("result"));
        tools.call("task_kill", "task_id", running.getFirst());
        assertEquals("my turn", tools.join(sixth).getString("result"));
        running.forEach(task -> tools.call("task_kill", "task_id", task));
    }

    // Agents that misbehave

    @Test
    void agentThatHangsIsStoppedByKill() {
        String task = tools.spawn("/hang");
        tools.await(task, "task_turn_started");
        assertEquals("killed", tools.call("task_kill", "task_id", task).getString("status"));
    }

    @Test
    void agentThatFloodsIsBounded() {
        String task = tools.spawn("/flood 3000000\n/say done");
        JsonObject joined = tools.join(task);
        assertEquals("completed", joined.getString("status"), joined::encode);
        assertTrue(joined.getString("result").length() <= TaskToolLimits.RESULT_CHARS);
        String hanging = tools.spawn("/flood 3000000\n/hang");
        tools.await(hanging, "task_agent_message");
        JsonObject killed = tools.call("task_kill", "task_id", hanging);
        assertTrue(killed.getString("partial_result").length() <= TaskToolLimits.RESULT_CHARS);
    }

    @Test
    void agentThatSendsGarbageHarmsNobody() {
        JsonObject joined = tools.join(tools.spawn("/say before\n/garbage\n/say after"));
        assertEquals("completed", joined.getString("status"), joined::encode);
        assertEquals("before\nafter", joined.getString("result"));
    }

    @Test
    void answerToAnUnknownRequestHarmsNothing() {
        assertEquals("fine", tools.join(tools.spawn("/stray\n/say fine")).getString("result"));
    }

    @Test
    void permissionIsAskedOfPolicyAndUsageIsKept() {
        JsonObject joined = tools.join(tools.spawn("/ask may I?\n/usage 10 20 0.5"));
        assertTrue(joined.getString("result").contains("allowed"), joined::encode);
        assertEquals(10, joined.getJsonObject("usage").getInteger("input_tokens"));
    }
}
