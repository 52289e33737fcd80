package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs as bytes, of tasks that have ended, and the whole of HTTP's ranges and conditions on them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class ByteRoutesTest {

    private static final String TEXT = "one\ntwo\nthree\nfour";

    private RunningEdge edge;
    private String task;
    private String artifact;
    private String output;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        task = edge.spawn("printf 'one\\ntwo\\nthree\\nfour'", "pipes");
        edge.ended(task);
        artifact = "/artifacts/" + task + ".stdout";
        output = "/tasks/" + task + "/output/stdout";
    }

    @Test
    void wholeOutputIsServedInBothPlaces() throws Exception {
        String tag = "\"sha256:"
                + HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256").digest(TEXT.getBytes(StandardCharsets.US_ASCII)))
                + "\"";
        for (String path : List.of(artifact, output)) {
            HttpResponse<String> answer = edge.get(path);
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(TEXT, answer.body());
            assertEquals(tag, header(answer, "etag"));
            assertEquals("18", header(answer, "content-length"));
            assertEquals("bytes", header(answer, "accept-ranges"));
            assertEquals("nosniff", header(answer, "x-content-type-options"));
            assertEquals("default-src 'none'; sandbox", header(answer, "content-security-policy"));
            assertEquals("private, no-cache", header(answer, "cache-control"));
        }
        assertEquals("text/plain; charset=utf-8", header(edge.get(output), "content-type"));
        assertEquals("application/octet-stream", header(edge.get(artifact), "content-type"));
        assertEquals(
                "attachment; filename=\"" + task + ".stdout.log\"", header(edge.get(artifact), "content-disposition"));
    }

    @Test
    void artifactIsServedByItsDigest() {
        String digest = header(edge.get(output), "etag").replace("\"", "");
        HttpResponse<String> answer = edge.get("/artifacts/" + digest);
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(TEXT, answer.body());
        assertEquals(404, edge.get("/artifacts/sha256:" + "0".repeat(64)).statusCode());
        HttpResponse<String> wrong = edge.get("/artifacts/sha256:none");
        assertEquals(400, wrong.statusCode());
        assertTrue(wrong.body().contains("64 hex digits"), wrong.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-2      | bytes 0-2/18   | one",
                "bytes=14-      | bytes 14-17/18 | four",
                "bytes=-4       | bytes 14-17/18 | four",
                "bytes=14-99    | bytes 14-17/18 | four",
                "bytes=0-0,1-2  | bytes 0-2/18   | one",
                "bytes=0-2,99-  | bytes 0-2/18   | one",
            })
    void oneRangeIsOnePart(String range, String contentRange, String body) {
        for (String path : List.of(artifact, output)) {
            HttpResponse<String> answer = get(path, "range", range);
            assertEquals(206, answer.statusCode(), answer.body());
            assertEquals(contentRange, header(answer, "content-range"));
            assertEquals(String.valueOf(body.length()), header(answer, "content-length"));
            assertEquals(body, answer.body());
            assertEquals(header(edge.get(path), "etag"), header(answer, "etag"));
        }
    }

    @Test
    void severalRangesAreOnePartEachInOrder() {
        HttpResponse<String> answer = get(output, "range", "bytes=14-17, 0-2, 4-6");
        assertEquals(206, answer.statusCode(), answer.body());
        assertFalse(answer.headers().firstValue("content-range").isPresent());
        String type = header(answer, "content-type");
        assertTrue(type.startsWith("multipart/byteranges; boundary="), type);
        String boundary = type.substring(type.indexOf('=') + 1);
        String expected = """
                --B
                Content-Type: text/plain; charset=utf-8
                Content-Range: bytes 14-17/18

                four
                --B
                Content-Type: text/plain; charset=utf-8
                Content-Range: bytes 0-2/18

                one
                --B
                Content-Type: text/plain; charset=utf-8
                Content-Range: bytes 4-6/18

                two
                --B--
                """;
        assertEquals(expected.replace("\n", "\r\n").replace("--B", "--" + boundary), answer.body());
        assertEquals(String.valueOf(answer.body().length()), header(answer, "content-length"));
    }

    @Test
    void rangeBeyondTheEndIsRefused() {
        for (String range : List.of("bytes=18-", "bytes=-0", "bytes=99-100,200-")) {
            HttpResponse<String> answer = get(output, "range", range);
            assertEquals(416, answer.statusCode(), range);
            assertEquals("bytes */18", header(answer, "content-range"));
            assertEquals("INVALID_REQUEST", code(answer));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=2-1", "bytes=x", "lines=1-2", "bytes=", "bytes=0-1;2"})
    void malformedRangeIsIgnored(String range) {
        HttpResponse<String> answer = get(output, "range", range);
        assertEquals(200, answer.statusCode());
        assertEquals(TEXT, answer.body());
    }

    @Test
    void matchingTagSendsNoBody() {
        String tag = header(edge.get(output), "etag");
        for (String known : List.of(tag, "W/" + tag, "\"x\", " + tag, "*")) {
            HttpResponse<String> answer = get(output, "if-none-match", known, "range", "bytes=0-1");
            assertEquals(304, answer.statusCode(), known);
            assertEquals("", answer.body());
            assertEquals(tag, header(answer, "etag"));
        }
        assertEquals(200, get(output, "if-none-match", "\"x\"").statusCode());
        assertEquals(200, get(output, "if-match", tag).statusCode());
        HttpResponse<String> other = get(output, "if-match", "\"x\"");
        assertEquals(412, other.statusCode());
        assertEquals("INVALID_REQUEST", code(other));
    }

    @Test
    void rangeOfAnotherStateSendsTheWhole() {
        String tag = header(edge.get(output), "etag");
        assertEquals(206, get(output, "range", "bytes=0-1", "if-range", tag).statusCode());
        for (String other : List.of("\"x\"", "W/" + tag, "Tue, 15 Nov 1994 08:12:31 GMT")) {
            assertEquals(
                    200, get(output, "range", "bytes=0-1", "if-range", other).statusCode(), other);
            // Also where the range is one that cannot be had.
            assertEquals(
                    200, get(output, "range", "bytes=99-", "if-range", other).statusCode(), other);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1-1   | 1-1  | one/",
                "2-3   | 2-3  | two/three/",
                "3-99  | 3-4  | three/four",
                "2-    | 2-4  | two/three/four",
                "5-9   | none | ''",
            })
    void linesAreServedByTheirNumbers(String asked, String lines, String body) {
        for (String path : List.of(artifact, output)) {
            HttpResponse<String> answer = edge.get(path + "?lines=" + asked);
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(body.replace('/', '\n'), answer.body());
            assertEquals(lines, header(answer, "x-penstock-lines"));
        }
    }

    @Test
    void linesHaveTheirOwnRangesAndTag() {
        HttpResponse<String> lines = edge.get(output + "?lines=2-3");
        HttpResponse<String> part = get(output + "?lines=2-3", "range", "bytes=4-8");
        assertEquals(206, part.statusCode());
        assertEquals("three", part.body());
        assertEquals("bytes 4-8/10", header(part, "content-range"));
        assertEquals(header(lines, "etag"), header(part, "etag"));
        assertFalse(header(lines, "etag").equals(header(edge.get(output), "etag")));
        assertEquals(
                304,
                get(output + "?lines=2-3", "if-none-match", header(lines, "etag"))
                        .statusCode());
        String two = get(output + "?lines=2-3", "range", "bytes=0-0,4-4").body();
        assertTrue(two.contains("bytes 0-0/10\r\n\r\nt\r\n") && two.contains("bytes 4-4/10\r\n\r\nt\r\n"), two);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0-1", "2-1", "1", "-1", "a-b", "1-2-3", "1-9999999999999999", "1-2&lines=1-2"})
    void malformedLinesAreRefused(String lines) {
        HttpResponse<String> answer = edge.get(output + "?lines=" + lines);
        assertEquals(400, answer.statusCode(), answer.body());
        assertEquals("INVALID_REQUEST", code(answer));
    }

    @Test
    void emptyOutputIsServedWithoutRanges() {
        for (String path : List.of("/artifacts/" + task + ".stderr", "/tasks/" + task + "/output/stderr")) {
            HttpResponse<String> answer = edge.get(path);
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals("", answer.body());
            assertEquals("0", header(answer, "content-length"));
            HttpResponse<String> range = get(path, "range", "bytes=0-");
            assertEquals(416, range.statusCode());
            assertEquals("bytes */0", header(range, "content-range"));
            assertEquals("none", header(edge.get(path + "?lines=1-"), "x-penstock-lines"));
            assertEquals(304, get(path, "if-none-match", header(answer, "etag")).statusCode());
        }
    }

    @Test
    void headAnswersLikeGetWithoutBytesOrRanges() {
        for (String range : List.of("", "Range: bytes=0-2\r\n", "Range: bytes=99-\r\n")) {
            String answer = edge.raw("HEAD " + output + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + range
                    + "Authorization: Bearer " + edge.token + "\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.toLowerCase(java.util.Locale.ROOT).contains("content-length: 18\r\n"), answer);
            assertTrue(answer.endsWith("\r\n\r\n"), answer);
        }
        String missing = edge.raw("HEAD /artifacts/none.stdout HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Authorization: Bearer " + edge.token + "\r\n\r\n");
        assertTrue(missing.startsWith("HTTP/1.1 404 ") && missing.endsWith("\r\n\r\n"), missing);
    }

    @Test
    void missingOutputIsNotFound() {
        for (String id : List.of("x", "x.stdout", task, task + ".pty", task + ".stdout.log")) {
            HttpResponse<String> answer = edge.get("/artifacts/" + id);
            assertEquals(404, answer.statusCode(), id);
            assertEquals("ARTIFACT_NOT_FOUND", code(answer), id);
        }
        assertEquals("TASK_NOT_FOUND", code(edge.get("/tasks/none/output/stdout")));
        assertEquals(400, edge.get("/tasks/" + task + "/output/pty").statusCode());
        assertEquals(400, edge.get("/tasks/" + task + "/output/stdin").statusCode());
        assertEquals(404, edge.get("/artifacts").statusCode());
        assertEquals(404, edge.get("/artifacts/a/b").statusCode());
        HttpResponse<String> post = edge.post(artifact, "{}");
        assertEquals(405, post.statusCode());
        assertEquals("GET, HEAD", header(post, "allow"));
    }

    @Test
    void bytesNeedTheToken() {
        for (String path : List.of(artifact, output, "/artifacts/none")) {
            String answer = edge.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
        }
    }

    @Test
    void deletedOutputIsGone() {
        String gone = edge.spawn("echo gone", "pipes");
        edge.ended(gone);
        edge.delete(gone + ".stdout");
        HttpResponse<String> answer = edge.get("/artifacts/" + gone + ".stdout");
        assertEquals(410, answer.statusCode());
        assertEquals("ARTIFACT_GONE", code(answer));
    }

    @Test
    void largeOutputIsServedByteForByte() throws Exception {
        String large = edge.spawn("head -c 5000000 /dev/urandom | tee copy", "pipes");
        edge.ended(large);
        byte[] copy = Files.readAllBytes(edge.workspace.resolve("copy"));
        String path = "/artifacts/" + large + ".stdout";
        assertArrayEquals(copy, bytes(path, Map.of()));
        assertArrayEquals(
                java.util.Arrays.copyOfRange(copy, 1_000_001, 4_000_001),
                bytes(path, Map.of("range", "bytes=1000001-4000000")));
        String parts = new String(
                bytes(path, Map.of("range", "bytes=3000000-4999999,0-2000000")), StandardCharsets.ISO_8859_1);
        String text = new String(copy, StandardCharsets.ISO_8859_1);
        int second = parts.indexOf("bytes 0-2000000/5000000\r\n\r\n");
        assertTrue(parts.substring(0, second)
                .contains("bytes 3000000-4999999/5000000\r\n\r\n" + text.substring(3_000_000)));
        assertTrue(parts.substring(second).contains("\r\n\r\n" + text.substring(0, 2_000_001) + "\r\n--"));
    }

    private byte[] bytes(String path, Map<String, String> headers) {
        HttpRequest.Builder request = edge.to(path);
        headers.forEach(request::header);
        try (InputStream body = edge.open(request.build())) {
            return body.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> get(String path, String... headers) {
        return edge.send(edge.to(path).headers(headers).build());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers()
                .firstValue(name)
                .orElseThrow(() -> new AssertionError(name + " in " + answer.headers()));
    }

    private static String code(HttpResponse<String> answer) {
        return new JsonObject(answer.body()).getJsonObject("error").getString("code");
    }
}
