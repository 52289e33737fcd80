package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bad input gets its sentence, in the one shape, and nothing is run for it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class BadRequestsTest {

    private RunningEdge edge;

    /** Runs, with pipes. */
    private String pipes = "";

    /** Runs, with a terminal. */
    private String terminal = "";

    private String ended = "";
    private int tasks;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        pipes = edge.spawn("sleep 60", "pipes");
        terminal = edge.spawn("sleep 60", "pty");
        ended = edge.spawn("true", "pty");
        edge.ended(ended);
        edge.await(pipes, "\"status\":\"running\"");
        edge.await(terminal, "\"status\":\"running\"");
        tasks = listed();
    }

    @AfterAll
    void stop() {
        assertEquals(tasks, listed(), "something was run all the same");
    }

    private int listed() {
        JsonArray list = new JsonArray(edge.get("/tasks").body());
        return list.size();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"tool":                                                    | Not JSON
            hello                                                       | Not JSON
            {} {}                                                       | there is more after its end
            {"tool": "bash", "tool": "shell"}                           | tool
            []                                                          | A JSON object is expected here, not ARRAY
            "text"                                                      | A JSON object is expected here, not STRING
            {}                                                          | tool must be a string, but is missing
            {"tool": 7}                                                 | tool must be a string, but is 7
            {"tool": null}                                              | tool must be a string, but is null
            {"tool": "zsh", "args": {"command": "ls"}}                  | There is no tool "zsh"; the tools are bash, shell, exec
            {"tool": "bash"}                                            | needs args with a command
            {"tool": "bash", "args": []}                                | args must be an object, but is []
            {"tool": "bash", "args": {}}                                | args.command must be a string, but is missing
            {"tool": "bash", "args": {"command": ["ls"]}}               | args.command must be a string, but is ["ls"]
            {"tool": "bash", "args": {"command": "ls", "argv": ["ls"]}} | args.argv is for the tool exec; bash needs a command
            {"tool": "exec", "args": {}}                                | args.argv must be a list of strings
            {"tool": "exec"}                                            | The tool exec needs args with an argv
            {"tool": "exec", "args": {"argv": "ls"}}                    | args.argv must be a list of strings
            {"tool": "exec", "args": {"argv": []}}                      | args.argv must be a list of strings
            {"tool": "exec", "args": {"argv": [""]}}                    | args.argv must be a list of strings
            {"tool": "exec", "args": {"argv": ["ls", 1]}}               | args.argv must be a list of strings
            {"tool": "exec", "args": {"argv": ["ls", "\\u0000"]}}       | args.argv must not have a NUL
            {"tool": "exec", "args": {"command": "ls"}}                 | args.command is for the tools bash and shell; exec needs an argv
            {"tool": "bash", "args": {"command": "  "}}                 | args.command is empty
            {"tool": "bash", "args": {"command": "a\\u0000b"}}          | args.command must not have a NUL
            {"tool": "bash", "args": {"command": "ls", "cwd": 1}}       | args.cwd must be a string, but is 1
            {"tool": "bash", "args": {"command": "ls", "cwd": "../.."}} | leads out of the workspace
            {"tool": "bash", "args": {"command": "ls", "cwd": "none"}}  | is not a directory in the workspace
            {"tool": "bash", "args": {"command": "ls", "cwd": "\\u0000"}} | args.cwd must not have a NUL
            {"tool": "bash", "args": {"command": "ls", "env": ["A=b"]}} | args.env must be an object
            {"tool": "bash", "args": {"command": "ls", "env": {"A": 1}}} | args.env.A must be a string
            {"tool": "bash", "args": {"command": "ls", "env": {"A=B": ""}}} | no =, unlike "A=B"
            {"tool": "bash", "args": {"command": "ls", "env": {"": ""}}} | has a character at least
            {"tool": "bash", "args": {"command": "ls", "rows": 0}}      | args.rows must be a whole number from 1 to 4096, but is 0
            {"tool": "bash", "args": {"command": "ls", "cols": "80"}}   | args.cols must be a whole number from 1 to 4096, but is "80"
            {"tool": "bash", "args": {"command": "ls", "rows": 24.5}}   | args.rows must be a whole number
            {"tool": "bash", "args": {"command": "ls", "max_bytes": -1}} | args.max_bytes must be a whole number from 0
            {"tool": "bash", "args": {"command": "ls", "artifact_max_bytes": 1e999}} | artifact_max_bytes
            {"tool": "bash", "args": {"command": "ls", "comand": "x"}}  | There is no field "args.comand"; known are command, argv, cwd, env
            {"tool": "bash", "args": {"command": "ls", "title": "x"}}   | stand beside args, not in it
            {"tool": "bash", "args": {"command": "ls"}, "titel": "x"}   | There is no field "titel"; known are tool, args, title, label
            {"tool": "bash", "args": {"command": "ls"}, "title": 1}     | title must be a string, but is 1
            {"tool": "bash", "args": {"command": "ls"}, "label": 42}    | label must be a string, but is 42
            {"tool": "bash", "args": {"command": "ls"}, "label": ""}    | label cannot be used. A label starts with a letter from a to z or a digit
            {"tool": "bash", "args": {"command": "ls"}, "label": "two words"} | unlike "two words"
            {"tool": "bash", "args": {"command": "ls"}, "label": "Prüfung"} | unlike "Prüfung"
            {"tool": "bash", "args": {"command": "ls"}, "label": "a\\u0000"} | label cannot be used
            {"tool": "bash", "args": {"command": "ls", "label": "x"}}   | stand beside args, not in it
            {"tool": "bash", "args": {"command": "ls"}, "execution_mode": "tty"} | execution_mode must be pipes or pty, but is "tty"
            {"tool": "bash", "args": {"command": "ls"}, "execution_mode": true} | execution_mode must be a string
            {"tool": "bash", "args": {"command": "ls"}, "origin_session_id": "a/b"} | origin_session_id cannot be used
            {"tool": "bash", "args": {"command": "ls"}, "on_lost": "again"} | on_lost must be end or requeue, but is "again"
            {"tool": "bash", "args": {"command": "ls"}, "on_lost": "requeue", "execution_mode": "pty"} | do not go together
            {"tool": "bash", "args": {"command": "ls"}, "timeout_secs": 0} | timeout_secs must be a whole number from 1 to 86400, but is 0
            {"tool": "bash", "args": {"command": "ls"}, "timeout_secs": 86401} | timeout_secs must be a whole number from 1 to 86400
            """)
    void malformedSpawnIsRefused(String body, String sentence) {
        assertRefused(edge.post("/tasks", body), 400, "INVALID_REQUEST", sentence);
    }

    @Test
    void textsBeyondTheirLimitsAreRefused() {
        String long5000 = "x".repeat(5000);
        assertRefused(
                edge.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"ls\"},\"title\":\"" + long5000 + "\"}"),
                400,
                "INVALID_REQUEST",
                "title has at most 4096 characters, this one has 5000");
        assertRefused(
                edge.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"ls\"},\"label\":\"" + long5000 + "\"}"),
                400,
                "INVALID_REQUEST",
                "label has at most 64 characters, this one has 5000");
        assertRefused(
                edge.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"" + "ü".repeat(100_000) + "\"}}"),
                400,
                "INVALID_REQUEST",
                "args have at most 131072 bytes as JSON");
        assertRefused(
                edge.post("/tasks/" + pipes + "/cancel", "{\"reason\":\"" + long5000 + "\"}"),
                400,
                "INVALID_REQUEST",
                "reason has at most 4096 characters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cancel | {"reason": 5}                 | 400 | reason must be a string, but is 5
            cancel | {"force": true}               | 400 | There is no field "force"; known are reason
            stdin  | {}                            | 400 | stdin has either text or chunk_b64
            stdin  | {"close": false}              | 400 | stdin has either text or chunk_b64
            stdin  | {"close": "now"}              | 400 | close must be true or false, but is "now"
            stdin  | {"close": true}               | 400 | A terminal's input cannot be closed; write ^D (0x04)
            stdin  | {"chunk_b64": "a?=="}         | 400 | chunk_b64 is not base64
            stdin  | {"chunk_b64": "abcde"}        | 400 | chunk_b64 is not base64
            stdin  | {"chunk_b64": ""}             | 400 | 1 to 8192 bytes, this one has 0
            resize | {"rows": 24}                  | 400 | cols must be a whole number from 1 to 4096, but is missing
            resize | {"rows": 0, "cols": 80}       | 400 | rows must be a whole number from 1 to 4096, but is 0
            resize | {"rows": 24, "cols": 99999}   | 400 | cols must be a whole number from 1 to 4096, but is 99999
            resize | {"rows": "24", "cols": 80}    | 400 | rows must be a whole number from 1 to 4096, but is "24"
            signal | {"signal": "SEGV"}            | 400 | A signal is one of HUP INT QUIT
            signal | {"signal": 15}                | 400 | signal must be a string, but is 15
            signal | {}                            | 400 | signal must be a string, but is missing
            """)
    void malformedControlIsRefused(String operation, String body, int status, String sentence) {
        assertRefused(edge.post("/tasks/" + terminal + "/" + operation, body), status, "INVALID_REQUEST", sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            stdin  | {"chunk_b64": "aGk="} | stdin "closed"
            resize | {"rows": 24, "cols": 80} | this one has pipes
            """)
    void controlOfATerminalNeedsALivingTerminal(String operation, String body, String sentence) {
        assertRefused(
                edge.post("/tasks/" + pipes + "/" + operation, body),
                400,
                "INVALID_REQUEST",
                operation + " needs a task with execution_mode pty");
        assertRefused(edge.post("/tasks/" + pipes + "/" + operation, body), 400, "INVALID_REQUEST", sentence);
        assertNeedsATaskThatRuns(operation, body);
    }

    @Test
    void signalNeedsARunningTask() {
        assertNeedsATaskThatRuns("signal", "{\"signal\": \"INT\"}");
    }

    private void assertNeedsATaskThatRuns(String operation, String body) {
        HttpResponse<String> late = edge.post("/tasks/" + ended + "/" + operation, body);
        assertRefused(late, 409, "TASK_NOT_READY", "has ended");
        assertRefused(edge.post("/tasks/nobody/" + operation, body), 404, "TASK_NOT_FOUND", "There is no task nobody");
    }

    @Test
    void oneWriteToStdinIsLimited() {
        String tooLong = java.util.Base64.getEncoder().encodeToString(new byte[8193]);
        assertRefused(
                edge.post("/tasks/" + terminal + "/stdin", "{\"chunk_b64\": \"" + tooLong + "\"}"),
                400,
                "INVALID_REQUEST",
                "1 to 8192 bytes, this one has 8193");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /tasks/nobody                        | 404 | TASK_NOT_FOUND  | There is no task nobody
            /tasks/nobody/events                 | 404 | TASK_NOT_FOUND  | There is no task nobody
            /tasks/nobody/output                 | 404 | TASK_NOT_FOUND  | There is no task nobody
            /tasks/no%20body                     | 404 | INVALID_REQUEST | There is nothing at GET /tasks/no%20body
            /tasks/..%2f..%2fetc                 | 404 | INVALID_REQUEST | There is nothing at GET /tasks/..%2f..%2fetc
            /tasks/%                             | 400 | INVALID_REQUEST | has a % that no two hexadecimal digits follow
            /%C0%80%                             | 400 | INVALID_REQUEST | has a % that no two hexadecimal digits follow
            /tasks/ENDED?wait=soon               | 400 | INVALID_REQUEST | wait must be a whole number from 0 to 50000, but is "soon"
            /tasks/ENDED?wait=50001              | 400 | INVALID_REQUEST | wait must be a whole number from 0 to 50000
            /tasks/ENDED?wait=1&wait=2           | 400 | INVALID_REQUEST | wait is given 2 times; give it once
            /tasks?status=done                   | 400 | INVALID_REQUEST | status must be one of queued, running, exited, cancelled, failed, awaiting_input, succeeded, unsuccessful, but is "done"
            /tasks?status=                       | 400 | INVALID_REQUEST | status must be one of
            /tasks?status=queued&status=running  | 400 | INVALID_REQUEST | status is given 2 times; give it once
            /tasks?limit=0                       | 400 | INVALID_REQUEST | limit must be a whole number from 1 to 200, but is "0"
            /tasks?limit=201                     | 400 | INVALID_REQUEST | limit must be a whole number from 1 to 200
            /tasks?limit=ten                     | 400 | INVALID_REQUEST | limit must be a whole number from 1 to 200
            /tasks?cursor=                       | 400 | INVALID_REQUEST | cursor is ""; it must be the cursor in the Link header
            /tasks?cursor=Not-One                | 400 | INVALID_REQUEST | cursor is "Not-One"; it must be
            /tasks?cursor=zzzzzzzzzzzzz          | 400 | INVALID_REQUEST | it must be the cursor in the Link header
            /tasks?session=a%2fb                 | 400 | INVALID_REQUEST | session cannot be the id of one
            /tasks?label=                        | 400 | INVALID_REQUEST | label cannot be one: A label starts with
            /tasks?label=two%20words             | 400 | INVALID_REQUEST | unlike "two words"
            /tasks?label=a%25                    | 400 | INVALID_REQUEST | label cannot be one
            /tasks?label=a&label=b               | 400 | INVALID_REQUEST | label
            /tasks?text=a%00b                    | 400 | INVALID_REQUEST | text must not have a NUL
            /tasks/ENDED/events?from_seq=-1      | 400 | INVALID_REQUEST | from_seq must be a whole number from 0
            /tasks/ENDED/events?from_seq=99      | 400 | INVALID_REQUEST | has no frame 98 to continue after; its next is
            /tasks/ENDED/events?until=tomorrow   | 400 | INVALID_REQUEST | until must be end, but is "tomorrow"
            /tasks/ENDED/output?stream=out       | 400 | INVALID_REQUEST | stream must be stdout, stderr or pty, but is "out"
            /tasks/ENDED/output?stream=stdout    | 400 | INVALID_REQUEST | in mode pty it has [pty]
            /tasks/ENDED/output?offset_bytes=x   | 400 | INVALID_REQUEST | offset_bytes must be a whole number from 0
            /tasks/ENDED/output?max_bytes=0      | 400 | INVALID_REQUEST | max_bytes must be a whole number from 1
            /tasks/ENDED/nothing                 | 404 | INVALID_REQUEST | There is nothing at GET
            /nothing                             | 404 | INVALID_REQUEST | There is nothing at GET /nothing
            /tasks/ENDED?wait=%zz                | 400 | INVALID_REQUEST | cannot be read
            """)
    void missingResourceIsNotFound(String path, int status, String code, String sentence) {
        String answer = edge.raw(
                "GET " + path.replace("ENDED", ended) + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + edge.token + "\r\nConnection: close\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        JsonObject error = new JsonObject(answer.substring(answer.indexOf("\r\n\r\n") + 4)).getJsonObject("error");
        assertEquals(code, error.getString("code"));
        assertTrue(error.getString("message").contains(sentence), error::encode);
    }

    @Test
    void resumeAfterAMissingFrameIsRefused() {
        HttpResponse<String> answer = edge.send(edge.to("/tasks/" + ended + "/events")
                .header("last-event-id", "1000")
                .build());
        assertRefused(answer, 400, "INVALID_REQUEST", "has no frame 1000 to continue after");
        answer = edge.send(edge.to("/tasks/" + ended + "/events")
                .header("last-event-id", "x")
                .build());
        assertRefused(answer, 400, "INVALID_REQUEST", "Last-Event-ID must be a whole number");
    }

    @Test
    void methodThatARouteDoesNotTakeIsRefused() {
        HttpResponse<String> answer = edge.send(edge.to("/tasks").DELETE().build());
        assertRefused(answer, 405, "INVALID_REQUEST", "/tasks takes GET and POST, not DELETE");
        assertEquals("GET, POST", answer.headers().firstValue("allow").orElseThrow());
        answer = edge.post("/tasks/" + ended, "{}");
        assertRefused(answer, 405, "INVALID_REQUEST", "/tasks/{id} takes DELETE and GET, not POST");
        answer = edge.get("/tasks/" + pipes + "/cancel");
        assertRefused(answer, 405, "INVALID_REQUEST", "/tasks/{id}/cancel takes POST, not GET");
        assertRefused(edge.post("/nothing", "{}"), 404, "INVALID_REQUEST", "There is nothing at POST /nothing");
        assertRefused(edge.post("/tasks/x/y/z", "{}"), 404, "INVALID_REQUEST", "There is nothing at POST");
    }

    @Test
    void bodyOfAnotherTypeIsRefused() {
        String body = "{\"tool\": \"bash\", \"args\": {\"command\": \"ls\"}}";
        for (String type : Set.of("text/plain", "application/x-www-form-urlencoded", "application/jsonx")) {
            assertRefused(
                    edge.send(edge.to("/tasks")
                            .header("content-type", type)
                            .POST(BodyPublishers.ofString(body))
                            .build()),
                    415,
                    "INVALID_REQUEST",
                    "The Content-Type must be application/json, not \"" + type + "\"");
        }
        assertRefused(
                edge.send(edge.to("/tasks").POST(BodyPublishers.ofString(body)).build()),
                415,
                "INVALID_REQUEST",
                "and there is none");
        assertRefused(edge.post("/tasks", ""), 400, "INVALID_REQUEST", "The body is empty");
        assertRefused(
                edge.send(edge.to("/tasks")
                        .header("content-type", "application/json; charset=utf-8")
                        .POST(BodyPublishers.ofByteArray(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}))
                        .build()),
                400,
                "INVALID_REQUEST",
                "It is not text in UTF-8");
        assertRefused(edge.post("/tasks", "{\"a\":".repeat(2000)), 400, "INVALID_REQUEST", "Not JSON");
    }

    @Test
    void tooLargeBodyIsRefusedWithAndWithoutLength() {
        byte[] huge = new byte[3 << 20];
        java.util.Arrays.fill(huge, (byte) ' ');
        assertRefused(
                edge.send(edge.to("/tasks")
                        .header("content-type", "application/json")
                        .POST(BodyPublishers.ofByteArray(huge))
                        .build()),
                413,
                "INVALID_REQUEST",
                "it may have up to 1048576 bytes");
        assertRefused(
                edge.send(edge.to("/tasks")
                        .header("content-type", "application/json")
                        .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(huge)))
                        .build()),
                413,
                "INVALID_REQUEST",
                "it may have up to 1048576 bytes");
    }

    @Test
    void malformedRequestIsAnsweredAndClosed() {
        for (String bad : Set.of(
                "hello\r\n\r\n",
                "GET /tasks HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n",
                "GET /" + "x".repeat(5_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            String answer = edge.raw(bad);
            assertTrue(answer.matches("(?s)HTTP/1\\.[01] 4.*"), answer);
            assertTrue(answer.contains("\"error\":{\"code\":\"INVALID_REQUEST\""), answer);
        }
    }

    @Test
    void defectIsNotExplainedToCallers() {
        HttpResponse<String> answer = edge.get("/assets/defect");
        assertRefused(answer, 500, "INTERNAL_ERROR", "An internal error occurred in Penstock");
        assertFalse(answer.body().contains("not for callers"), answer.body());
        assertFalse(answer.body().contains("Exception"), answer.body());
    }

    static void assertRefused(HttpResponse<String> answer, int status, String code, String sentence) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertEquals(
                "application/json", answer.headers().firstValue("content-type").orElseThrow());
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals(Set.of("code", "message", "retryable", "details"), error.fieldNames());
        assertEquals(code, error.getString("code"));
        assertEquals(false, error.getBoolean("retryable"));
        assertTrue(error.getString("message").contains(sentence), error::encode);
    }
}
