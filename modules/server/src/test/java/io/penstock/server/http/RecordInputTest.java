package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Budgets;
import io.penstock.frames.RecordInput;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The typed input in a task's frames, depending on the request and on policy. */
@ExtendWith(VertxExtension.class)
class RecordInputTest {

    private static final Policy POLICY = new Policy(
            "of the test",
            List.of(new Rule(
                    question -> "forced".equals(question.session()),
                    new Verdict.Allow("no-input", null, Budgets.NONE, RecordInput.NONE))),
            Policy.LOCAL.otherwise());

    private static final String SHELL = "PS1='prompt> ' exec bash --norc --noprofile -i";
    private static final String PASSWORD = "stty -echo; echo ready; read typed; echo ${#typed}";

    /** As events show the output; the command, which events show first, has these words without what follows them. */
    private static final String READY = "ready\\r\\n";

    private static final String PROMPT = "prompt> \"";

    private RunningEdge edge;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder(), POLICY));
    }

    @Test
    void inputAtAShellPromptIsRecorded() {
        String task = spawn(SHELL, null, null);
        edge.await(task, PROMPT);
        assertEquals("exit 3\r", typed(task, "exit 3\r"));
        assertEquals(3, edge.ended(task).getInteger("exit_code"));
        assertEquals("default", edge.ended(task).getString("record_input"));
    }

    @Test
    void passwordIsNotRecorded() {
        String task = spawn(PASSWORD, null, null);
        edge.await(task, READY);
        assertNull(typed(task, "swordfish\r"));
    }

    @Test
    void passwordIsRecordedIfAllInputIs() {
        String task = spawn(PASSWORD, "all", null);
        edge.await(task, READY);
        assertEquals("swordfish\r", typed(task, "swordfish\r"));
        assertEquals("all", spawned(task).getString("record_input"));
    }

    @Test
    void echoedInputIsNotRecordedIfNoneIs() {
        String task = spawn("echo ready; read typed; echo ${#typed}", "none", null);
        edge.await(task, READY);
        assertNull(typed(task, "visible\r"));
        assertEquals("none", spawned(task).getString("record_input"));
        assertEquals("none", edge.ended(task).getString("record_input"));
    }

    @Test
    void policyDecidesBeforeTheRequest() {
        String task = spawn("echo ready; read typed; echo ${#typed}", "all", "forced");
        edge.await(task, READY);
        assertNull(typed(task, "visible\r"));
        assertEquals("none", spawned(task).getString("record_input"));
    }

    @Test
    void unknownWordIsRefused() {
        HttpResponse<String> answer = edge.post(
                "/tasks", "{\"tool\": \"bash\", \"args\": {\"command\": \"ls\", \"record_input\": \"some\"}}");
        assertEquals(400, answer.statusCode());
        assertTrue(answer.body().contains("args.record_input must be default, none or all"), answer.body());
    }

    private String spawn(String command, @Nullable String recordInput, @Nullable String session) {
        return edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", "pty")
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command).put("record_input", recordInput)));
    }

    private JsonObject spawned(String task) {
        return edge.events("/tasks/" + task + "/events?until=end").getFirst().frame();
    }

    /** The recorded part of this input in its frame, once the task has ended. */
    private @Nullable String typed(String task, String text) {
        String chunk = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"" + chunk + "\"}")
                        .statusCode());
        edge.ended(task);
        List<JsonObject> frames = edge.events("/tasks/" + task + "/events?until=end").stream()
                .map(RunningEdge.Event::frame)
                .filter(frame -> frame.getString("type").equals("tool_task_stdin_written"))
                .toList();
        assertFalse(frames.isEmpty());
        String recorded = frames.getFirst().getString("chunk_b64");
        assertEquals(text.length(), frames.getFirst().getInteger("bytes"));
        return recorded == null ? null : new String(Base64.getDecoder().decode(recorded), StandardCharsets.UTF_8);
    }
}
