package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Outputs as bytes while their programs still write. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(VertxExtension.class)
class GrowingBytesTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void recordedBytesAreReadableWhileTheTaskRuns() throws IOException {
        // The program continues when the test tells it to.
        String task = edge.spawn("mkfifo go; printf 'one\\ntwo\\nthr'; read x <go; printf 'ee\\n'", "pipes");
        String path = "/tasks/" + task + "/output/stdout";
        // Of 11 bytes: the text alone is in the command too.
        edge.await(task, "\"bytes_stored\":11");

        HttpResponse<String> first = edge.get(path);
        assertEquals(200, first.statusCode(), first.body());
        assertEquals("one\ntwo\nthr", first.body());
        String weak = header(first, "etag");
        assertTrue(weak.startsWith("W/\""), weak);
        assertEquals(304, get(path, "if-none-match", weak).statusCode());

        HttpResponse<String> part = get(path, "range", "bytes=4-");
        assertEquals(206, part.statusCode());
        assertEquals("two\nthr", part.body());
        assertEquals("bytes 4-10/11", header(part, "content-range"));
        assertEquals(416, get(path, "range", "bytes=11-").statusCode());
        // A weak tag says nothing about bytes, so with it the whole is given.
        assertEquals(200, get(path, "range", "bytes=4-", "if-range", weak).statusCode());
        assertEquals(412, get(path, "if-match", weak).statusCode());

        HttpResponse<String> lines = edge.get(path + "?lines=2-9");
        assertEquals("two\nthr", lines.body());
        assertEquals("2-3", header(lines, "x-penstock-lines"));

        Files.writeString(edge.workspace.resolve("go"), "\n");
        edge.ended(task);
        HttpResponse<String> whole = get(path, "if-none-match", weak);
        assertEquals(200, whole.statusCode());
        assertEquals("one\ntwo\nthree\n", whole.body());
        assertTrue(header(whole, "etag").startsWith("\"sha256:"), header(whole, "etag"));
        assertEquals("ee\n", get(path, "range", "bytes=11-").body());
    }

    @Test
    void terminalOutputIsReadableAsBytes() {
        String task = edge.spawn("echo hello", "pty");
        edge.ended(task);
        assertEquals("hello\r\n", edge.get("/tasks/" + task + "/output/pty").body());
        assertEquals("hello\r\n", edge.get("/artifacts/" + task + ".pty").body());
    }

    private HttpResponse<String> get(String path, String... headers) {
        return edge.send(edge.to(path).headers(headers).build());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers()
                .firstValue(name)
                .orElseThrow(() -> new AssertionError(name + " in " + answer.headers()));
    }
}
