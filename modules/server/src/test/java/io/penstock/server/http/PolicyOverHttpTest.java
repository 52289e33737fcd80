package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What policy denies, as callers over HTTP are told. */
class PolicyOverHttpTest {

    private static final Policy STRICT = new Policy(
            "strict",
            List.of(
                    new Rule(
                            question -> question.args().text().contains("rm -rf"),
                            new Verdict.Deny("keep-the-disk", "nothing is removed with all that is in it")),
                    new Rule(
                            question -> question.operation() == Operation.SIGNAL,
                            new Verdict.Deny("no-signals", "end it by cancelling it"))),
            Policy.LOCAL.otherwise());

    @TempDir
    Path folder;

    private RunningEdge edge;

    @BeforeEach
    void start() {
        edge = new RunningEdge(folder, STRICT);
    }

    @AfterEach
    void stop() {
        edge.close();
    }

    @Test
    void aDeniedSpawnNamesItsRuleAndTheTaskThatTellsOfIt() {
        HttpResponse<String> answer =
                edge.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"rm -rf /tmp/x\"}}");
        assertEquals(403, answer.statusCode(), answer.body());
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals("POLICY_DENIED", error.getString("code"));
        String sentence = "The rule \"keep-the-disk\" denies spawn: nothing is removed with all that is in it";
        assertEquals(sentence, error.getString("message"));
        assertEquals(false, error.getBoolean("retryable"));
        JsonObject details = error.getJsonObject("details");
        assertEquals("keep-the-disk", details.getString("rule"));
        assertEquals("nothing is removed with all that is in it", details.getString("reason"));
        assertEquals("spawn", details.getString("operation"));

        JsonObject task = edge.ended(details.getString("task_id"));
        assertEquals("failed", task.getString("status"));
        assertEquals(sentence, task.getString("error"));
        assertEquals(1, task.getInteger("next_seq"));
        assertNull(task.getString("tool"));
    }

    @Test
    void aDeniedSignalIsNotSentAndTheTaskGoesOn() {
        String task = edge.spawn("echo up; read line; echo got $line", "pty");
        edge.await(task, "\"chunk\":\"up");
        HttpResponse<String> answer = edge.post("/tasks/" + task + "/signal", "{\"signal\":\"KILL\"}");
        assertEquals(403, answer.statusCode(), answer.body());
        JsonObject details =
                new JsonObject(answer.body()).getJsonObject("error").getJsonObject("details");
        assertEquals("no-signals", details.getString("rule"));
        assertEquals(task, details.getString("task_id"));
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\":\"aGkN\"}")
                        .statusCode());
        assertEquals("succeeded", edge.ended(task).getString("outcome"));
        assertEquals(
                List.of("spawn allow default allow", "signal deny no-signals", "stdin allow default allow"),
                edge.events("/tasks/" + task + "/events?until=end").stream()
                        .map(RunningEdge.Event::frame)
                        .filter(frame -> frame.getString("type").equals("task_policy_verdict"))
                        .map(frame -> frame.getString("operation") + " " + frame.getString("verdict") + " "
                                + frame.getString("rule"))
                        .toList());
    }
}
