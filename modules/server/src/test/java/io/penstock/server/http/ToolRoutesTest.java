package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.penstock.server.api.Documented;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools are listed with their schemas, and do what these say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class ToolRoutesTest {

    private static final String FETCH = "/tools/artifact_fetch";
    private static final String STORE = "/tools/artifact_store";

    private RunningEdge edge;

    /** Has written five lines of ten bytes, and ended. */
    private String lines = "";

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        lines = edge.spawn("for i in 1 2 3 4 5; do echo line-000$i; done", "pipes");
        edge.ended(lines);
    }

    private JsonObject fetch(String id, Object... parameters) {
        var body = new JsonObject().put("id", id);
        for (int i = 0; i < parameters.length; i += 2) {
            body.put((String) parameters[i], parameters[i + 1]);
        }
        return call(FETCH, body);
    }

    private JsonObject call(String path, JsonObject body) {
        HttpResponse<String> answer = edge.post(path, body.encode());
        assertEquals(200, answer.statusCode(), answer.body());
        var result = new JsonObject(answer.body());
        assertNull(Documented.complaint(tool(path).getJsonObject("output_schema"), result), answer.body());
        assertEquals(
                tool(path)
                        .getJsonObject("output_schema")
                        .getJsonArray("required")
                        .getList(),
                List.copyOf(result.fieldNames()));
        assertNull(Documented.complaint(tool(path).getJsonObject("input_schema"), body), body.encode());
        return result;
    }

    @Test
    void callBeginsItsSession() {
        call(STORE, new JsonObject().put("text", "x").put("session_id", "begun-by-a-call"));
        var session = new JsonObject(edge.get("/sessions/begun-by-a-call").body());
        assertEquals("open", session.getString("status"));
        edge.post("/sessions/begun-by-a-call/end", "{}");
        call(STORE, new JsonObject().put("text", "x").put("session_id", "begun-by-a-call"));
        session = new JsonObject(edge.get("/sessions/begun-by-a-call").body());
        assertEquals("open", session.getString("status"), "it is used again");
    }

    private JsonObject tool(String path) {
        String name = path.substring("/tools/".length());
        return new JsonArray(edge.get("/tools").body())
                .stream()
                        .map(each -> (JsonObject) each)
                        .filter(each -> each.getString("name").equals(name))
                        .findAny()
                        .orElseThrow();
    }

    private JsonObject store(String text) {
        return call(STORE, new JsonObject().put("text", text));
    }

    @Test
    void theListHasAllToolsAsModelApisTakeThem() {
        var list = new JsonArray(edge.get("/tools").body());
        assertEquals(
                List.of(
                        "shell",
                        "artifact_fetch",
                        "artifact_store",
                        "task_spawn",
                        "task_status",
                        "task_list",
                        "task_join",
                        "task_kill",
                        "task_steer",
                        "background_task",
                        "background_output",
                        "background_cancel",
                        "background_list",
                        "background_clear"),
                list.stream().map(each -> ((JsonObject) each).getString("name")).toList());
        for (Object each : list) {
            var tool = (JsonObject) each;
            assertEquals(
                    List.of("name", "description", "input_schema", "output_schema"), List.copyOf(tool.fieldNames()));
            assertTrue(tool.getString("description").length() > 60, tool::encode);
            JsonObject input = tool.getJsonObject("input_schema");
            assertEquals("object", input.getString("type"));
            assertFalse(input.getBoolean("additionalProperties"));
            // Model APIs refuse these in a tool's schema.
            assertFalse(tool.encode().matches(".*\"(oneOf|anyOf|allOf|[$]ref)\".*"), tool::encode);
            input.getJsonObject("properties").forEach(property -> {
                var schema = (JsonObject) property.getValue();
                assertTrue(schema.getString("description").length() > 20, property::getKey);
            });
        }
    }

    @Test
    void aPageByBytesSaysWhereTheNextOneBegins() {
        JsonObject page = fetch(lines + ".stdout", "offset_bytes", 5, "max_bytes", 12);
        assertEquals(lines + ".stdout", page.getString("id"));
        assertEquals("text", page.getString("encoding"));
        assertEquals("0001\nline-00", page.getString("content"));
        assertEquals(List.of(5, 12, 50, 17), numbers(page));
        assertEquals(true, page.getBoolean("truncated"));
        assertEquals(0, page.getInteger("first_offset_bytes"));
        assertNull(page.getValue("first_line"));
        assertTrue(page.getString("digest").startsWith("sha256:"));
        JsonObject rest = fetch(lines + ".stdout", "offset_bytes", 17);
        assertEquals("02\nline-0003\nline-0004\nline-0005\n", rest.getString("content"));
        assertEquals(false, rest.getBoolean("truncated"));
        assertEquals(rest, fetch(page.getString("digest"), "offset_bytes", 17));
    }

    /** Where the page begins, how long it is, how much there is, where the next one begins. */
    private static List<Integer> numbers(JsonObject page) {
        return List.of(
                page.getInteger("offset_bytes"),
                page.getInteger("bytes"),
                page.getInteger("total_bytes"),
                page.getInteger("next_offset_bytes"));
    }

    @Test
    void beyondTheEndThePageIsEmptyAndNoError() {
        for (long offset : new long[] {50, 51, Limits.WHOLE_NUMBER}) {
            for (String encoding : new String[] {"text", "base64"}) {
                JsonObject page = fetch(lines + ".stdout", "offset_bytes", offset, "encoding", encoding);
                assertEquals("", page.getString("content"));
                assertEquals(List.of(50, 0, 50, 50), numbers(page));
                assertEquals(false, page.getBoolean("truncated"));
            }
        }
        JsonObject none = fetch(lines + ".stdout", "lines", "6-9");
        assertEquals("", none.getString("content"));
        assertEquals(6, none.getInteger("first_line"));
        assertEquals(0, none.getInteger("lines"));
        assertEquals("", fetch(lines + ".stderr").getString("content"));
    }

    @Test
    void linesAreWholeUnlessThePageIsTooSmall() {
        JsonObject two = fetch(lines + ".stdout", "lines", "2-3");
        assertEquals("line-0002\nline-0003\n", two.getString("content"));
        assertEquals(List.of(10, 20, 50, 30), numbers(two));
        assertEquals(2, two.getInteger("first_line"));
        assertEquals(2, two.getInteger("lines"));
        assertEquals(false, two.getBoolean("truncated"));
        JsonObject open = fetch(lines + ".stdout", "lines", "4-", "encoding", "base64");
        assertEquals("line-0004\nline-0005\n", decoded(open));
        assertEquals(2, open.getInteger("lines"));
        JsonObject cut = fetch(lines + ".stdout", "lines", "2-4", "max_bytes", 15);
        assertEquals("line-0002\nline-", cut.getString("content"));
        assertEquals(2, cut.getInteger("lines"));
        assertEquals(true, cut.getBoolean("truncated"));
        assertEquals(
                "0003\nline-0004\nline-0005\n",
                fetch(lines + ".stdout", "offset_bytes", 25).getString("content"));
        String unended = store("a\nb").getString("id");
        assertEquals(2, fetch(unended, "lines", "1-").getInteger("lines"));
        assertEquals("b", fetch(unended, "lines", "2-2").getString("content"));
    }

    private static String decoded(JsonObject page) {
        return new String(Base64.getDecoder().decode(page.getString("content")), StandardCharsets.UTF_8);
    }

    @Test
    void pagesOfTextAreCutBetweenCharacters() {
        String text = "Größe: 5 €, 😀 und mehr\n".repeat(4);
        String id = store(text).getString("id");
        for (int most : new int[] {1, 2, 3, 5, 7, 100}) {
            var all = new StringBuilder();
            JsonObject page;
            int next = 0;
            do {
                page = fetch(id, "offset_bytes", next, "max_bytes", most);
                assertEquals(next, page.getInteger("offset_bytes"));
                all.append(page.getString("content"));
                next = page.getInteger("next_offset_bytes");
            } while (page.getBoolean("truncated"));
            assertEquals(text, all.toString());
        }
    }

    @Test
    void bytesComeAsTheyAreInBase64() {
        byte[] bytes = new byte[1000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7);
        }
        JsonObject stored = call(
                STORE, new JsonObject().put("bytes_b64", Base64.getEncoder().encodeToString(bytes)));
        String id = stored.getString("id");
        JsonObject page = fetch(id, "encoding", "base64", "offset_bytes", 3, "max_bytes", 500);
        assertEquals(List.of(3, 500, 1000, 503), numbers(page));
        assertEquals(Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, 3, 503)), page.getString("content"));
        assertTrue(fetch(id).getString("content").contains("\ufffd"));
    }

    @Test
    void whatIsStoredIsReadByItsIdAndItsDigest() {
        JsonObject stored = store("what was found\n");
        String digest = "5d44ec3b4601d9ec488b3c4b7cdf4687dab18c3507c0f032ad994df48684f1f7";
        assertEquals(
                new JsonObject()
                        .put("id", "stored-" + digest)
                        .put("digest", "sha256:" + digest)
                        .put("bytes", 15),
                stored);
        assertEquals(stored, store("what was found\n"));
        for (String name : List.of(stored.getString("id"), stored.getString("digest"))) {
            HttpResponse<String> whole = edge.get("/artifacts/" + name);
            assertEquals("what was found\n", whole.body());
            assertEquals(
                    "\"" + stored.getString("digest") + "\"",
                    whole.headers().firstValue("etag").orElseThrow());
            JsonObject page = fetch(name);
            assertEquals(stored.getString("id"), page.getString("id"));
            assertEquals("what was found\n", page.getString("content"));
        }
        assertEquals(
                "was",
                edge.send(edge.to("/artifacts/" + stored.getString("id"))
                                .header("range", "bytes=5-7")
                                .build())
                        .body());
        assertEquals(
                "x".repeat(Limits.ARTIFACT_STORE_BYTES),
                edge.get("/artifacts/"
                                + store("x".repeat(Limits.ARTIFACT_STORE_BYTES)).getString("id"))
                        .body());
    }

    @Test
    void aPageHasAtMostWhatTheLimitSays() {
        String id = store("é".repeat(Limits.ARTIFACT_STORE_BYTES / 2)).getString("id");
        assertEquals(Limits.ARTIFACT_FETCH_USUAL_BYTES, fetch(id).getInteger("bytes"));
        JsonObject most = fetch(id, "max_bytes", Limits.ARTIFACT_FETCH_BYTES, "offset_bytes", 2);
        assertEquals(Limits.ARTIFACT_FETCH_BYTES, most.getInteger("bytes"));
        assertEquals(true, most.getBoolean("truncated"));
        String controls = store("\u0001".repeat(100_000)).getString("id");
        assertEquals(
                100_000,
                fetch(controls, "max_bytes", 200_000).getString("content").length());
    }

    @Test
    void theOutputOfALivingTaskIsReadAsItGrows() {
        String task = edge.spawn("printf 'one\\ntw'; read line; printf '%s\\n' \"$line\"", "pty");
        // Bash writes line by line, so this may come in a piece of its own.
        edge.await(task, "tw\"");
        JsonObject first = fetch(task + ".pty");
        assertEquals("one\r\ntw", first.getString("content"));
        assertNull(first.getValue("digest"));
        edge.post("/tasks/" + task + "/stdin", "{\"text\": \"o\\n\"}");
        edge.ended(task);
        JsonObject rest = fetch(task + ".pty", "offset_bytes", first.getInteger("next_offset_bytes"));
        assertEquals("o\r\no\r\n", rest.getString("content"));
        assertTrue(rest.getString("digest").startsWith("sha256:"));
    }

    @Test
    void removedBytesSayWhereTheRestBegins() {
        var args = new JsonObject()
                .put("command", "seq 1000000")
                .put("keep", "tail")
                .put("artifact_max_bytes", 1 << 20);
        String task = edge.spawn(new JsonObject().put("tool", "bash").put("args", args));
        edge.ended(task);
        for (String what : List.of("\"offset_bytes\": 5", "\"lines\": \"1-2\"", "\"encoding\": \"base64\"")) {
            JsonObject error = refused(FETCH, "{\"id\": \"" + task + ".stdout\", " + what + "}", 410, "ARTIFACT_GONE");
            String first = error.getJsonObject("details").getString("first_offset_bytes");
            JsonObject page = fetch(task + ".stdout", "offset_bytes", Long.parseLong(first), "max_bytes", 100);
            assertEquals(100, page.getInteger("bytes"));
            assertEquals(first, String.valueOf(page.getLong("first_offset_bytes")));
        }
    }

    @Test
    void removedAndDeletedOutputsAreGoneAndSayWhen() {
        String task = edge.spawn("echo out; echo err >&2", "pipes");
        edge.ended(task);
        edge.send(edge.to("/tasks/" + task + "/output/stdout").DELETE().build());
        edge.delete(task + ".stderr");
        JsonObject deleted = refused(FETCH, "{\"id\": \"" + task + ".stdout\"}", 410, "ARTIFACT_GONE");
        assertTrue(deleted.getString("message").contains(" was deleted at 2"), deleted::encode);
        JsonObject removed = refused(FETCH, "{\"id\": \"" + task + ".stderr\"}", 410, "ARTIFACT_GONE");
        assertTrue(removed.getString("message").contains("the task ended at 2"), removed::encode);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"id": "nobody.stdout"}                          | 404 | ARTIFACT_NOT_FOUND | There is no artifact "nobody.stdout"
            {"id": "nobody"}                                 | 404 | ARTIFACT_NOT_FOUND | There is no artifact "nobody"
            {"id": "stored-5d44ec"}                          | 404 | ARTIFACT_NOT_FOUND | There is no artifact "stored-5d44ec"
            {"id": "stored-0000000000000000000000000000000000000000000000000000000000000000"} | 404 | ARTIFACT_NOT_FOUND | There is no artifact
            {"id": "sha256:0000000000000000000000000000000000000000000000000000000000000000"} | 404 | ARTIFACT_NOT_FOUND | There is no artifact
            {"id": "sha256:12"}                              | 400 | INVALID_REQUEST | A digest is sha256: and 64 hex digits
            {}                                               | 400 | INVALID_REQUEST | id must be letters, digits and . _ : @ -, with a letter or digit first, but is missing
            {"id": null}                                     | 400 | INVALID_REQUEST | id must be letters, digits
            {"id": 7}                                        | 400 | INVALID_REQUEST | id must be a string, but is 7
            {"id": "../../etc/passwd"}                       | 400 | INVALID_REQUEST | but is "../../etc/passwd"
            {"id": "x", "offset": 5}                         | 400 | INVALID_REQUEST | There is no field "offset"; known are id, offset_bytes, max_bytes, lines, encoding, session_id
            {"id": "x", "offset_bytes": -1}                  | 400 | INVALID_REQUEST | offset_bytes must be a whole number from 0 to 9007199254740991, but is -1
            {"id": "x", "offset_bytes": "5"}                 | 400 | INVALID_REQUEST | offset_bytes must be a whole number from 0 to 9007199254740991, but is "5"
            {"id": "x", "max_bytes": 0}                      | 400 | INVALID_REQUEST | max_bytes must be a whole number from 1 to 262144, but is 0
            {"id": "x", "max_bytes": 262145}                 | 400 | INVALID_REQUEST | max_bytes must be a whole number from 1 to 262144, but is 262145
            {"id": "x", "max_bytes": 1.5}                    | 400 | INVALID_REQUEST | max_bytes must be a whole number
            {"id": "x", "lines": "3"}                        | 400 | INVALID_REQUEST | lines must be FIRST-LAST or FIRST-, counted from 1, such as 1-100, but is "3"
            {"id": "x", "lines": "0-3"}                      | 400 | INVALID_REQUEST | lines must be FIRST-LAST or FIRST-
            {"id": "x", "lines": "3-1"}                      | 400 | INVALID_REQUEST | lines must be FIRST-LAST or FIRST-
            {"id": "x", "lines": [1, 3]}                     | 400 | INVALID_REQUEST | lines must be a string, but is [1,3]
            {"id": "x", "lines": "1-2", "offset_bytes": 5}   | 400 | INVALID_REQUEST | offset_bytes and lines do not go together
            {"id": "x", "encoding": "utf-16"}                | 400 | INVALID_REQUEST | encoding must be text or base64, but is "utf-16"
            {"id": "x", "session_id": "a b"}                 | 400 | INVALID_REQUEST | session_id must be letters, digits and . _ : @ -, with a letter or digit first, but is "a b"
            {"id": "x", "session_id": ""}                    | 400 | INVALID_REQUEST | session_id must be letters
            {"id": "x", "session_id": 1}                     | 400 | INVALID_REQUEST | session_id must be a string, but is 1
            []                                               | 400 | INVALID_REQUEST | A JSON object is expected here, not ARRAY
            {"id": "x"                                       | 400 | INVALID_REQUEST | Not JSON
            """)
    void aFetchThatCannotBeAnsweredSaysWhy(String body, int status, String code, String sentence) {
        JsonObject error = refused(FETCH, body, status, code);
        assertTrue(error.getString("message").contains(sentence), error::encode);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                | artifact_store has either text or bytes_b64, but here are neither
            {"text": "a", "bytes_b64": "YQ=="} | artifact_store has either text or bytes_b64, but here are both
            {"text": ""}                      | text must have 1 to 524288 bytes, but has 0
            {"bytes_b64": ""}                 | bytes_b64 must have 1 to 524288 bytes, but has 0
            {"bytes_b64": "a b"}              | bytes_b64 is not base64
            {"text": 5}                       | text must be a string, but is 5
            {"text": {"a": "b"}}              | text must be a string, but is {"a":"b"}
            {"text": "a", "title": "b"}       | There is no field "title"; known are text, bytes_b64, session_id
            """)
    void whatCannotBeStoredSaysWhy(String body, String sentence) {
        JsonObject error = refused(STORE, body, 400, "INVALID_REQUEST");
        assertTrue(error.getString("message").contains(sentence), error::encode);
    }

    @Test
    void textThatIsTooLongIsRefusedByItsBytes() {
        String most = "x".repeat(Limits.ARTIFACT_STORE_BYTES);
        for (JsonObject body : List.of(
                new JsonObject().put("text", most + "x"),
                new JsonObject().put("text", "é".repeat(Limits.ARTIFACT_STORE_BYTES / 2 + 1)),
                new JsonObject()
                        .put(
                                "bytes_b64",
                                Base64.getEncoder().encodeToString((most + "x").getBytes(StandardCharsets.UTF_8))))) {
            JsonObject error = refused(STORE, body.encode(), 400, "INVALID_REQUEST");
            assertTrue(error.getString("message").length() < 200, error::encode);
        }
        refused(STORE, new JsonObject().put("text", "x".repeat(2 << 20)).encode(), 413, "INVALID_REQUEST");
    }

    @Test
    void anUnknownToolIsNotFound() {
        JsonObject error = refused("/tools/rm", "{}", 404, "TOOL_NOT_FOUND");
        assertEquals(
                "There is no tool \"rm\" to call; known are shell, artifact_fetch, artifact_store, task_spawn, task_status,"
                        + " task_list, task_join, task_kill, task_steer, background_task, background_output,"
                        + " background_cancel, background_list, background_clear",
                error.getString("message"));
        assertEquals(404, edge.post("/tools/", "{}").statusCode());
        assertEquals(405, edge.get(FETCH).statusCode());
        assertEquals(405, edge.post("/tools", "{}").statusCode());
    }

    @Test
    void onlyAJsonBodyIsTaken() {
        refused(FETCH, "", 400, "INVALID_REQUEST");
        HttpResponse<String> answer = edge.send(edge.to(FETCH)
                .header("content-type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build());
        assertEquals(415, answer.statusCode());
    }

    @Test
    void theSessionIsTakenButNotAParameterOfTheTool() {
        var body = new JsonObject().put("text", "for a session").put("session_id", "review:42@host");
        assertEquals(store("for a session"), call(STORE, body));
    }

    private JsonObject refused(String path, String body, int status, String code) {
        HttpResponse<String> answer = edge.post(path, body);
        assertEquals(status, answer.statusCode(), answer.body());
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals(code, error.getString("code"), answer.body());
        return error;
    }
}
