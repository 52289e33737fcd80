package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.Await;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract background-task, scenario by scenario, over HTTP and with the sample agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class BackgroundTaskTest {

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

    /** The id by which the rest of the server knows the task. */
    private String taskId(String id) {
        return AgentTools.list(tools.call("task_list", "limit", 100), "tasks").stream()
                .map(task -> task.getString("task_id"))
                .filter(task -> task.startsWith(id.substring("bg_".length())))
                .findAny()
                .orElseThrow();
    }

    private void awaitTurn(String id) {
        tools.await(taskId(id), "task_turn_started");
    }

    // Background Task Creation

    @Test
    void launchBackgroundTask() {
        JsonObject task = tools.call(
                "background_task",
                "description",
                "look around",
                "prompt",
                "/hang",
                "agent",
                "sample",
                "message_id",
                "msg-7");
        assertTrue(task.getString("task_id").matches("bg_[0-9a-f]{8}"), task::encode);
        assertEquals("running", task.getString("status"));
        assertEquals("look around", task.getString("description"));
        assertEquals("sample", task.getString("agent"));
        assertEquals(tools.session(), task.getString("parent_session_id"));
        assertEquals("msg-7", task.getString("parent_message_id"));
        awaitTurn(task.getString("task_id"));
        JsonObject output = tools.output(task.getString("task_id"));
        assertEquals(tools.session(), output.getString("parent_session_id"));
        assertEquals("msg-7", output.getString("parent_message_id"));
        tools.call("background_cancel", "task_id", task.getString("task_id"));
    }

    @Test
    void startNeedsDescriptionAndPrompt() {
        assertTrue(tools.refused(400, "background_task", "prompt", "x").contains("description"));
        assertTrue(tools.refused(400, "background_task", "description", "x").contains("prompt"));
        assertTrue(tools.refused(400, "background_task", "description", "x", "prompt", "x", "agent", "hal")
                .contains("sample"));
    }

    // Task Status Management

    @Test
    void trackTaskCompletion() {
        JsonObject output = tools.ended(tools.start("/say the result"));
        assertEquals("completed", output.getString("status"));
        assertEquals("the result", output.getString("result"));
        assertTrue(Instant.parse(output.getString("completed_at"))
                .isBefore(Instant.now().plusSeconds(1)));
    }

    @Test
    void handleTaskErrors() {
        JsonObject output = tools.ended(tools.start("/say half\n/crash"));
        assertEquals("error", output.getString("status"));
        assertTrue(output.getString("error").contains("during a turn"), output::encode);
        assertEquals("half", output.getString("partial_result"));
        assertNull(output.getString("result"));
        JsonObject late = tools.ended(tools.start("/hang", "timeout_secs", 1));
        assertEquals("error", late.getString("status"));
    }

    @Test
    void cancelRunningTasks() {
        String id = tools.start("/hang");
        awaitTurn(id);
        JsonObject cancelled = tools.call("background_cancel", "task_id", id, "reason", "enough");
        assertEquals(1, cancelled.getInteger("cancelled"));
        assertEquals("cancelled", AgentTools.list(cancelled, "tasks").getFirst().getString("status"));
        assertEquals("cancelled", tools.output(id).getString("status"));
        tools.await(taskId(id), "\"reason\":\"enough\"");
        assertEquals(0, tools.call("background_cancel", "task_id", id).getInteger("cancelled"));
    }

    @Test
    void trackResumedStatus() {
        String id = tools.start("/say first");
        tools.ended(id);
        assertEquals(
                "resumed",
                tools.call("background_task", "resume", id, "prompt", "/sleep 600000")
                        .getString("status"));
        assertEquals("resumed", tools.output(id).getString("status"));
        String task = taskId(id);
        tools.call("task_steer", "task_id", task, "message", "/say second");
        JsonObject output = tools.ended(id);
        assertEquals("completed", output.getString("status"));
        assertTrue(output.getString("result").contains("second"), output::encode);
    }

    // Task Result Retrieval

    @Test
    void retrieveCompletedTaskResults() {
        String id = tools.start("/say the result");
        tools.items(1);
        JsonObject first = tools.output(id);
        assertEquals("the result", first.getString("result"));
        assertNotNull(first.getString("retrieved_at"));
        JsonObject second = tools.output(id);
        assertEquals("the result", second.getString("result"));
        assertEquals(first.getString("retrieved_at"), second.getString("retrieved_at"));
    }

    @Test
    void checkRunningTaskStatus() {
        String id = tools.start("/say looking\n/hang");
        tools.await(taskId(id), SAID);
        JsonObject output = tools.output(id);
        assertEquals("running", output.getString("status"));
        assertEquals("looking", output.getString("progress"));
        assertNull(output.getString("result"));
        assertNull(output.getString("retrieved_at"));
        tools.call("background_cancel", "task_id", id);
    }

    @Test
    void taskPersistsUntilItIsCleared() {
        String id = tools.start("/say kept");
        String running = tools.start("/hang");
        tools.ended(id);
        assertEquals(
                "Only tasks that have ended can be cleared. Current status: running. Use background_cancel first.",
                tools.refused(409, "background_clear", "task_id", running));
        JsonObject cleared = tools.call("background_clear");
        assertEquals(List.of(id), cleared.getJsonArray("cleared").getList());
        assertEquals(1, cleared.getInteger("still_running"));
        String sentence = "Task not found: " + id + ". Use background_list to see available tasks.";
        assertEquals(sentence, tools.refused(404, "background_output", "task_id", id));
        assertEquals(sentence, tools.refused(404, "background_task", "resume", id, "prompt", "x"));
        assertEquals(sentence, tools.refused(404, "background_clear", "task_id", id));
        assertEquals(List.of(running), ids(tools.call("background_list")));
        tools.call("background_cancel", "task_id", running);
        tools.call("background_clear", "task_id", running);
        assertEquals("No background tasks.\n", tools.call("background_list").getString("listing"));
    }

    @Test
    void tasksOfOtherSessionsAreNotFound() {
        String id = tools.start("/say mine");
        tools.ended(id);
        AgentTools others = tools.in(tools.session() + "-other");
        for (String tool : List.of("background_output", "background_cancel", "background_clear")) {
            assertEquals(
                    "Task not found: " + id + ". Use background_list to see available tasks.",
                    others.refused(404, tool, "task_id", id));
        }
        assertEquals(
                "Task not found: bg_zzz. Use background_list to see available tasks.",
                tools.refused(404, "background_output", "task_id", "bg_zzz"));
        String agent = tools.spawn("/say of the other contract");
        tools.join(agent);
        tools.refused(404, "background_output", "task_id", agent);
    }

    @Test
    void uniquePrefixIsEnough() {
        String id = tools.start("/say found");
        tools.ended(id);
        String other = tools.start("/say other");
        tools.ended(other);
        int same = 3;
        while (id.charAt(same) == other.charAt(same)) {
            same++;
        }
        assertEquals("found", tools.output(id.substring(0, same + 1)).getString("result"));
        assertEquals("found", tools.output(taskId(id)).getString("result"));
        assertEquals("found", tools.output("bg_" + taskId(id)).getString("result"));
    }

    @Test
    void ambiguousPrefixIsAnErrorThatNamesTheTasks() {
        // Of seventeen tasks, two begin with the same of sixteen digits.
        List<String> all =
                Stream.generate(() -> tools.start("/say x")).limit(17).toList();
        all.forEach(tools::ended);
        String shared = all.stream()
                .map(id -> id.substring(0, 4))
                .filter(start -> all.stream().filter(id -> id.startsWith(start)).count() > 1)
                .findFirst()
                .orElseThrow();
        String sentence = tools.refused(400, "background_output", "task_id", shared);
        assertTrue(sentence.startsWith("Several tasks begin with " + shared + ": bg_"), sentence);
    }

    // Task Progress Tracking

    @Test
    void monitorTaskProgress() {
        String id = tools.start("/tool grep one\n/tool read two\n/say reading\n/hang");
        tools.await(taskId(id), SAID);
        JsonObject output = tools.output(id);
        assertEquals(2, output.getInteger("tool_calls"));
        assertEquals(
                List.of("read", "grep"), output.getJsonArray("recent_tools").getList());
        assertEquals("reading (2 tool calls)", output.getString("progress"));
        assertTrue(Instant.parse(output.getString("last_update_at"))
                .isAfter(Instant.now().minusSeconds(60)));
        tools.call("background_cancel", "task_id", id);
    }

    // Batch Task Management

    @Test
    void groupRelatedTasks() {
        String one = tools.start("/say one\n/hang");
        String two = tools.start("/say two");
        String batch = tools.output(one).getString("batchId");
        assertEquals(batch, tools.output(two).getString("batchId"));
        String apart = tools.start("/say apart", "batch_id", "mine");
        assertEquals("mine", tools.output(apart).getString("batchId"));
        tools.ended(two);
        tools.ended(apart);
        tools.await(taskId(one), SAID);
        List<JsonObject> all = AgentTools.list(tools.call("background_output", "batch_id", batch), "tasks");
        assertEquals(List.of(one, two), ids(all));
        assertEquals("two", all.getLast().getString("result"));
        assertEquals(1, tools.call("background_cancel", "batch_id", batch).getInteger("cancelled"));
        assertEquals(List.of(two, one), ids(tools.call("background_list", "batch_id", batch)));
        // Nothing runs any more, so this is another operation.
        assertNotEquals(batch, tools.output(tools.start("/say later")).getString("batchId"));
        assertEquals(
                List.of(one, two),
                tools.call("background_clear", "batch_id", batch)
                        .getJsonArray("cleared")
                        .getList());
        assertTrue(tools.refused(404, "background_output", "batch_id", batch).contains(batch));
        assertTrue(tools.refused(400, "background_output").contains("neither"));
    }

    @Test
    void tasksThatAreStartedAtOnceAreOfOneBatch() {
        List<CompletableFuture<String>> starts = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> tools.start("/hang")))
                .limit(4)
                .toList();
        List<String> ids = starts.stream().map(CompletableFuture::join).toList();
        assertEquals(
                1,
                ids.stream()
                        .map(id -> tools.output(id).getString("batchId"))
                        .distinct()
                        .count());
        String batch = tools.output(ids.getFirst()).getString("batchId");
        assertEquals(4, tools.call("background_cancel", "batch_id", batch).getInteger("cancelled"));
    }

    // Task Conversation Resumption

    @Test
    void resumeCompletedTaskWithFollowUpPrompt() {
        String id = tools.start("/say my name is Ada");
        tools.ended(id);
        JsonObject resumed = tools.call("background_task", "resume", id, "prompt", "/history");
        assertEquals(id, resumed.getString("task_id"));
        assertEquals(1, resumed.getInteger("resumeCount"));
        JsonObject output = tools.ended(id);
        assertEquals("completed", output.getString("status"));
        assertTrue(output.getString("result").contains("my name is Ada"), output::encode);
    }

    @Test
    void resumeCompletionNotification() {
        String id = tools.start("/say first");
        tools.join(taskId(id));
        tools.call("background_task", "resume", id, "prompt", "/say the full response");
        List<JsonObject> items = tools.items(2);
        assertEquals(2, items.size());
        assertEquals("the full response", items.getLast().getString("result"));
        assertNotEquals(items.getFirst().getString("key"), items.getLast().getString("key"));
        assertEquals("completed", tools.output(id).getString("status"));
    }

    @Test
    void waitForResumeResponse() {
        String id = tools.start("/say first");
        tools.ended(id);
        tools.call("background_task", "resume", id, "prompt", "/sleep 300\n/say second");
        assertEquals("second", tools.ended(id).getString("result"));
    }

    @Test
    void blockedWaitReturnsThePresentStatusWhenTheTimeIsUp() {
        String id = tools.start("/hang");
        assertEquals(
                "running", tools.output(id, "block", true, "timeout_ms", 100).getString("status"));
        assertTrue(tools.refused(400, "background_output", "task_id", id, "timeout_ms", 100)
                .contains("block=true"));
        tools.refused(400, "background_output", "task_id", id, "block", true, "timeout_ms", 600_001);
        tools.call("background_cancel", "task_id", id);
    }

    @Test
    void rejectResumeOfNonCompletedTask() {
        String running = tools.start("/hang");
        awaitTurn(running);
        assertEquals(
                "Only completed tasks can be resumed. Current status: running",
                tools.refused(409, "background_task", "resume", running, "prompt", "x"));
        tools.call("background_cancel", "task_id", running);
        assertEquals(
                "Only completed tasks can be resumed. Current status: cancelled",
                tools.refused(409, "background_task", "resume", running, "prompt", "x"));
        String failed = tools.start("/crash");
        tools.ended(failed);
        assertEquals(
                "Only completed tasks can be resumed. Current status: error",
                tools.refused(409, "background_task", "resume", failed, "prompt", "x"));
    }

    @Test
    void resumeNeedsAPromptAndNothingOfANewTask() {
        String id = tools.start("/say x");
        tools.ended(id);
        assertEquals("Prompt is required when resuming a task", tools.refused(400, "background_task", "resume", id));
        assertEquals(
                "Prompt is required when resuming a task",
                tools.refused(400, "background_task", "resume", id, "prompt", "  "));
        assertTrue(tools.refused(400, "background_task", "resume", id, "prompt", "x", "agent", "sample")
                .contains("agent"));
    }

    @Test
    void rejectConcurrentResume() {
        String id = tools.start("/say first");
        tools.ended(id);
        tools.call("background_task", "resume", id, "prompt", "/hang");
        assertEquals(
                "Task is currently being resumed. Wait for completion.",
                tools.refused(409, "background_task", "resume", id, "prompt", "x"));
        tools.call("background_cancel", "task_id", id);
    }

    @Test
    void ofManyResumesAtOnceOneIsCarriedOut() {
        String id = tools.start("/say first");
        tools.ended(id);
        List<CompletableFuture<Integer>> all = Stream.generate(() -> CompletableFuture.supplyAsync(() -> edge.post(
                                "/tools/background_task",
                                new JsonObject()
                                        .put("session_id", tools.session())
                                        .put("resume", id)
                                        .put("prompt", "/hang")
                                        .encode())
                        .statusCode()))
                .limit(4)
                .toList();
        List<Integer> statuses =
                all.stream().map(CompletableFuture::join).sorted().toList();
        assertEquals(List.of(200, 409, 409, 409), statuses);
        assertEquals(1, tools.output(id).getInteger("resumeCount"));
        tools.call("background_cancel", "task_id", id);
    }

    /** The file in which the sample agent keeps the conversation of a task. */
    private Path conversationOf(String id) {
        String conversation = Await.await(edge.state(taskId(id))).agent().sessionId();
        return edge.workspace.resolveSibling("agents/sample/" + conversation + ".jsonl");
    }

    @Test
    void handleExpiredSessionOnResume() throws IOException {
        String id = tools.start("/say first");
        tools.ended(id);
        Files.delete(conversationOf(id));
        assertEquals(
                "Session expired or was deleted. Start a new background_task to continue.",
                tools.refused(410, "background_task", "resume", id, "prompt", "x"));
        assertEquals(0, tools.output(id).getInteger("resumeCount"));
        assertEquals("error", tools.output(id).getString("status"));
    }

    @Test
    void resumeWhoseProgramIsNotStartedSaysWhy() throws IOException {
        Path folder = Files.createDirectory(edge.workspace.resolve("leaves"));
        String id = tools.start("/say first", "cwd", "leaves");
        tools.ended(id);
        Files.delete(folder);
        String sentence = tools.refused(409, "background_task", "resume", id, "prompt", "x");
        assertTrue(sentence.contains("its program was not started: ") && sentence.contains("leaves"), sentence);
        assertEquals("error", tools.output(id).getString("status"));
    }

    @Test
    void resumeThatIsCancelledBeforeItsTurnSaysSo() {
        // All places are taken, so that the resumed run waits.
        String id = tools.start("/say first");
        tools.ended(id);
        List<String> others =
                Stream.generate(() -> tools.start("/hang")).limit(5).toList();
        others.forEach(this::awaitTurn);
        String task = taskId(id);
        var resumed =
                CompletableFuture.supplyAsync(() -> tools.refused(409, "background_task", "resume", id, "prompt", "x"));
        edge.await(task, "\"kind\":\"resume\"");
        assertEquals("resumed", tools.output(id).getString("status"));
        tools.call("background_cancel", "task_id", id, "reason", "not needed");
        assertEquals(
                "The agent did not get the prompt: it was stopped: not needed. Start a new background_task to continue.",
                resumed.join());
        assertEquals("cancelled", tools.output(id).getString("status"));
        others.forEach(other -> tools.call("background_cancel", "task_id", other));
    }

    // Resume Count Tracking

    @Test
    void incrementResumeCount() {
        String id = tools.start("/say 0");
        tools.ended(id);
        for (int count = 1; count <= 3; count++) {
            tools.call("background_task", "resume", id, "prompt", "/say " + count);
            JsonObject output = tools.ended(id);
            assertEquals(count, output.getInteger("resumeCount"));
            assertEquals(String.valueOf(count), output.getString("result"));
        }
    }

    @Test
    void initialResumeCount() {
        JsonObject task = tools.call("background_task", "description", "new", "prompt", "/say x");
        assertEquals(0, task.getInteger("resumeCount"));
        assertEquals(0, tools.ended(task.getString("task_id")).getInteger("resumeCount"));
    }

    // Event-Based Completion Detection

    @Test
    void detectCompletionViaEvent() {
        String id = tools.start("/say all of it");
        List<JsonObject> items = tools.items(1);
        assertEquals(1, items.size());
        assertEquals(taskId(id), items.getFirst().getString("task_id"));
        assertEquals("all of it", items.getFirst().getString("result"));
        assertTrue(items.getFirst().getString("text").contains("all of it"), items::toString);
        assertEquals("completed", tools.output(id).getString("status"));
    }

    @Test
    void completionIsNotifiedOnceHoweverOftenItIsRead() {
        String id = tools.start("/say once");
        tools.call("task_join", "task_id", taskId(id));
        tools.output(id);
        tools.ended(id);
        assertEquals(List.of(taskId(id)), notifiedBesidesAMarker());
    }

    /** The tasks that the session was notified of, before a task that ends after all others. */
    private List<String> notifiedBesidesAMarker() {
        String marker = taskId(tools.start("/say marker"));
        List<String> notified = new ArrayList<>();
        for (int count = 1; !notified.contains(marker); count++) {
            notified = new ArrayList<>(tools.items(count).stream()
                    .map(item -> item.getString("task_id"))
                    .toList());
        }
        notified.remove(marker);
        return notified;
    }

    /** Sends a call that waits for the end of the tasks; the server has it before anything that is sent later. */
    private Socket waiting(String field, String name) throws IOException {
        String body = new JsonObject()
                .put("session_id", tools.session())
                .put(field, name)
                .put("block", true)
                .encode();
        var socket = new Socket("127.0.0.1", edge.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("POST /tools/background_output HTTP/1.1\r\nhost: 127.0.0.1:" + edge.port()
                                + "\r\nauthorization: Bearer " + edge.token
                                + "\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: "
                                + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void resultThatAWaitReturnedIsNotNotifiedToo() throws IOException {
        String id = tools.start("/sleep 600000");
        awaitTurn(id);
        Socket wait = waiting("task_id", id);
        tools.call("task_steer", "task_id", taskId(id), "message", "/say told at once");
        assertTrue(answer(wait).contains("told at once"));
        assertEquals(List.of(), notifiedBesidesAMarker());
        // No caller waits for the next end.
        tools.call("background_task", "resume", id, "prompt", "/say again");
        tools.join(taskId(id));
        assertEquals(
                List.of(taskId(id)),
                notifiedBesidesAMarker().stream().filter(taskId(id)::equals).toList());
    }

    @Test
    void waitWhoseCallerHasGoneLeavesTheNotification() throws IOException {
        String id = tools.start("/sleep 600000");
        awaitTurn(id);
        waiting("task_id", id).close();
        tools.call("task_steer", "task_id", taskId(id), "message", "/say nobody hears");
        tools.join(taskId(id));
        assertEquals(List.of(taskId(id)), notifiedBesidesAMarker());
    }

    @Test
    void waitThatReturnsNoResultLeavesTheNotification() {
        String id = tools.start("/sleep 600000");
        awaitTurn(id);
        assertEquals(
                "running", tools.output(id, "block", true, "timeout_ms", 50).getString("status"));
        tools.call("task_steer", "task_id", taskId(id), "message", "/say later");
        tools.join(taskId(id));
        assertEquals(List.of(taskId(id)), notifiedBesidesAMarker());
    }

    @Test
    void waitForABatchHoldsUpNoNotification() throws IOException {
        String one = tools.start("/sleep 600000", "batch_id", "both");
        String two = tools.start("/sleep 600000", "batch_id", "both");
        awaitTurn(one);
        awaitTurn(two);
        Socket wait = waiting("batch_id", "both");
        tools.call("task_steer", "task_id", taskId(one), "message", "/say one");
        assertEquals(taskId(one), tools.items(1).getFirst().getString("task_id"));
        tools.call("task_steer", "task_id", taskId(two), "message", "/say two");
        assertTrue(answer(wait).contains("two"));
        assertEquals(List.of(taskId(one)), notifiedBesidesAMarker());
    }

    // Task List Resume Indicator

    @Test
    void showResumedIndicator() {
        String id = tools.start("/say first");
        tools.ended(id);
        tools.call("background_task", "resume", id, "prompt", "/say second");
        tools.ended(id);
        JsonObject list = tools.call("background_list");
        assertTrue(list.getString("listing").startsWith(id + " (resumed)  completed"), list::encode);
        assertEquals(1, AgentTools.list(list, "tasks").getFirst().getInteger("resumeCount"));
    }

    @Test
    void noIndicatorForNewTasks() {
        String id = tools.start("/say first");
        tools.ended(id);
        String listing = tools.call("background_list").getString("listing");
        assertTrue(listing.startsWith(id + "  completed"), listing);
        assertFalse(listing.contains("(resumed)"));
    }

    private static List<String> ids(JsonObject list) {
        return ids(AgentTools.list(list, "tasks"));
    }

    private static List<String> ids(List<JsonObject> tasks) {
        return tasks.stream().map(task -> task.getString("task_id")).toList();
    }
}
