package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Denials by policy, as callers over HTTP see them. */
@ExtendWith(VertxExtension.class)
class PolicyOverHttpTest {

    private static final Policy STRICT = new Policy(
            "strict",
            List.of(
                    new Rule(
                            question -> String.valueOf(question.args().get("command"))
                                    .contains("rm -rf"),
                            new Verdict.Deny("keep-the-disk", "nothing is removed with all that is in it")),
                    new Rule(
                            question -> question.operation() == Operation.SPAWN
                                    && String.valueOf(question.args().get("command"))
                                            .startsWith("curl "),
                            new Verdict.Ask("network", "May it use the network?", 60_000, Budgets.NONE)),
                    new Rule(
                            question -> question.operation() == Operation.SIGNAL,
                            new Verdict.Deny("no-signals", "end it by cancelling it"))),
            Policy.LOCAL.otherwise());

    private RunningEdge edge;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder(), STRICT));
    }

    @Test
    void deniedSpawnNamesItsRuleAndTask() {
        HttpResponse<String> answer = edge.post("/tasks", """
                {"tool": "bash", "title": "clean", "label": "clean-1", "origin_session_id": "cleaner", "execution_mode": "pty",
                 "args": {"command": "rm -rf /tmp/x", "env": {"TOKEN": "swordfish"}}}""");
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
        assertEquals("bash", task.getString("tool"));
        assertEquals("pty", task.getString("execution_mode"));
        assertEquals("clean", task.getString("title"));
        assertEquals("clean-1", task.getString("label"));
        assertEquals("cleaner", task.getString("origin_session_id"));
        assertEquals(new JsonObject(), task.getJsonObject("artifacts").getJsonObject("logs"));
        for (String found : List.of("?session=cleaner", "?label=clean-1", "?text=CLEAN", "?status=failed")) {
            assertEquals(
                    new JsonArray().add(task.copy().put("last_line", "")),
                    new JsonArray(edge.get("/tasks" + found).body()),
                    found);
        }
        String id = task.getString("task_id");
        JsonObject frame =
                edge.events("/tasks/" + id + "/events?until=end").getFirst().frame();
        assertEquals(new JsonObject("""
                        {"tool_name": "bash", "args": {"command": "rm -rf /tmp/x", "env": ["TOKEN"]}, "cwd": null, "title": "clean",
                         "execution_mode": "pty", "origin_session_id": "cleaner", "label": "clean-1", "actor": "user:token",
                         "rule": "keep-the-disk"}"""), frame.getJsonObject("refused"));
    }

    @Test
    void questionsAreAnsweredOnlyWithTheRight() {
        String task = edge.spawn("curl --version", "pipes");
        edge.await(task, "\"phase\":\"awaiting_input\"");
        String path = "/tasks/" + task + "/answer";
        String yes = "{\"allow\": true, \"reason\": \"it is our own server\"}";
        HttpResponse<String> own = edge.send(edge.to(path)
                .setHeader("authorization", "Bearer " + edge.token)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(yes))
                .build());
        assertEquals(403, own.statusCode(), own.body());
        assertTrue(own.body().contains("needs the answer token"), own.body());
        // A path that only resembles that of the operation does not permit an answer, so the record names an actor with
        // the right.
        for (String spelling : List.of("/", "//", "/?x=1", "/.", ";x", "%2f", "#")) {
            String answer = edge.raw("POST " + path + spelling + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Authorization: Bearer " + edge.token + "\r\nContent-Type: application/json\r\nContent-Length: "
                    + yes.length() + "\r\n\r\n" + yes);
            assertTrue(answer.startsWith("HTTP/1.1 404 "), spelling + ": " + answer);
        }
        HttpResponse<String> more = edge.send(edge.to("/tasks")
                .setHeader("authorization", "Bearer " + edge.answerToken)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build());
        assertEquals(403, more.statusCode(), more.body());
        assertEquals(400, edge.post(path, "{\"allow\": true}").statusCode());
        assertEquals(202, edge.post(path, yes).statusCode());
        assertEquals(409, edge.post(path, yes).statusCode());
        edge.ended(task);

        JsonObject policy =
                new JsonObject(edge.get("/tasks/" + task + "/policy").body());
        assertNull(policy.getLong("next_seq"));
        assertEquals(
                List.of(
                        "The rule \"network\" asks about spawn by user:token: May it use the network?",
                        "The rule \"default allow\" allows answer by user:answerer",
                        "The rule \"network\" asked about spawn by user:token; user:answerer allows it:"
                                + " it is our own server"),
                policy.getJsonArray("verdicts").stream()
                        .map(verdict -> ((JsonObject) verdict).getString("explanation"))
                        .toList());
    }

    @Test
    void openQuestionsTakeABoundedPartOfTheMemory() {
        int large = 1_000_000;
        String spawn = new JsonObject()
                .put("tool", "bash")
                .put(
                        "args",
                        new JsonObject()
                                .put("command", "curl --version")
                                .put("env", new JsonObject().put("LARGE", "x".repeat(large))))
                .encode();
        var asked = new ArrayList<String>();
        HttpResponse<String> answer = edge.post("/tasks", spawn);
        while (answer.statusCode() == 201 && asked.size() <= Limits.OPEN_QUESTION_CHARS / large) {
            asked.add(new JsonObject(answer.body()).getString("task_id"));
            answer = edge.post("/tasks", spawn);
        }
        assertEquals(429, answer.statusCode(), answer::body);
        assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
        assertTrue(answer.body().contains("wait for an answer"), answer::body);
        assertEquals(Limits.OPEN_QUESTION_CHARS / large, asked.size());

        edge.await(asked.getFirst(), "\"phase\":\"awaiting_input\"");
        String no = "{\"allow\": false, \"reason\": \"not today\"}";
        assertEquals(202, edge.post("/tasks/" + asked.get(0) + "/answer", no).statusCode());
        assertEquals(201, edge.post("/tasks", spawn).statusCode());
        assertEquals(202, edge.post("/tasks/" + asked.get(1) + "/cancel", "{}").statusCode());
        edge.ended(asked.get(1));
        assertEquals(201, edge.post("/tasks", spawn).statusCode());
        assertEquals(429, edge.post("/tasks", spawn).statusCode());
    }

    @Test
    void deniedSpawnIsExplained() {
        JsonObject error = new JsonObject(
                        edge.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"rm -rf /tmp/x\"}}")
                                .body())
                .getJsonObject("error");
        String task = error.getJsonObject("details").getString("task_id");
        JsonObject said = new JsonObject(edge.get("/tasks/" + task + "/policy").body())
                .getJsonArray("verdicts")
                .getJsonObject(0);
        assertEquals("keep-the-disk", said.getString("rule"));
        assertEquals("user:token", said.getString("asked_by"));
        assertEquals(error.getString("message"), said.getString("explanation"));
        assertEquals(404, edge.get("/tasks/nobody/policy").statusCode());
    }

    @Test
    void deniedSignalIsNotSent() {
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
