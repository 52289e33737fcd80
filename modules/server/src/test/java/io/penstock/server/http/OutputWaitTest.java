package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A page of output that is waited for comes when there is something to read, when nothing more can come, or when the time is up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class OutputWaitTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void waitReturnsAtOnceOrWithTheNextOutput() throws Exception {
        try (var program = new Told(edge, "cat told")) {
            program.say("one\n");
            assertEquals(
                    "one\n", program.page(0, 30_000).get(30, TimeUnit.SECONDS).getString("content"));
            CompletableFuture<JsonObject> next = program.page(4, 30_000);
            program.say("two\n");
            JsonObject page = next.get(25, TimeUnit.SECONDS);
            assertEquals("two\n", page.getString("content"));
            assertEquals(8, page.getInteger("total_bytes"));
        }
    }

    @Test
    void halfACharacterDoesNotEndTheWait() throws Exception {
        try (var program = new Told(edge, "cat told")) {
            program.say("a");
            assertEquals("a", program.page(0, 30_000).get(25, TimeUnit.SECONDS).getString("content"));
            CompletableFuture<JsonObject> next = program.page(1, 30_000);
            program.say(new byte[] {(byte) 0xe2, (byte) 0x82});
            edge.await(program.task, "\"bytes_total\":3");
            JsonObject half = program.page(1, 0).get(25, TimeUnit.SECONDS);
            assertEquals(0, half.getInteger("bytes"));
            assertFalse(half.getBoolean("truncated"));
            program.say(new byte[] {(byte) 0xac});
            assertEquals("€", next.get(25, TimeUnit.SECONDS).getString("content"));
        }
    }

    @Test
    void endOfTheTaskEndsTheWait() throws Exception {
        var program = new Told(edge, "cat told");
        program.say("all");
        CompletableFuture<JsonObject> next = program.page(3, 30_000);
        program.close();
        JsonObject page = next.get(25, TimeUnit.SECONDS);
        assertEquals("", page.getString("content"));
        assertEquals(3, page.getInteger("total_bytes"));
        assertEquals("", program.page(3, 30_000).get(25, TimeUnit.SECONDS).getString("content"));
        assertEquals("", program.page(1000, 30_000).get(25, TimeUnit.SECONDS).getString("content"));
    }

    @Test
    void outputBeyondTheCapDoesNotEndTheWait() throws Exception {
        String task = edge.spawn(
                new JsonObject(
                        "{\"tool\":\"bash\",\"args\":{\"artifact_max_bytes\":4,\"command\":\"echo more than that; sleep 1\"}}"));
        JsonObject page = new JsonObject(
                edge.get("/tasks/" + task + "/output?offset_bytes=4&wait=20000").body());
        assertEquals("", page.getString("content"));
        assertEquals(4, page.getInteger("total_bytes"));
        assertEquals(11, page.getInteger("bytes_not_stored"));
        assertEquals("exited", new JsonObject(edge.get("/tasks/" + task).body()).getString("status"));
    }

    @Test
    void timeoutReturnsThePresentPage() throws Exception {
        try (var program = new Told(edge, "cat told")) {
            JsonObject page = program.page(0, 60).get(25, TimeUnit.SECONDS);
            assertEquals("", page.getString("content"));
            assertEquals(0, page.getInteger("total_bytes"));
        }
    }

    @Test
    void missingOutputIsNotWaitedFor() throws Exception {
        try (var program = new Told(edge, "cat told")) {
            BadRequestsTest.assertRefused(
                    edge.get("/tasks/" + program.task + "/output?stream=pty&wait=50000"),
                    400,
                    "INVALID_REQUEST",
                    "has no output pty");
            BadRequestsTest.assertRefused(
                    edge.get("/tasks/" + program.task + "/output?wait=50001"),
                    400,
                    "INVALID_REQUEST",
                    "wait must be a whole number from 0 to 50000");
        }
    }

    /** A task that writes the lines that the test sends, and ends when the test closes the pipe. */
    private static final class Told implements AutoCloseable {

        private final RunningEdge edge;
        private final String task;
        private final OutputStream said;

        Told(RunningEdge edge, String command) throws IOException, InterruptedException {
            this.edge = edge;
            Path folder = Files.createTempDirectory(edge.workspace, "told");
            Path pipe = folder.resolve("told");
            assertEquals(
                    0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
            this.task = edge.spawn(new JsonObject()
                    .put("tool", "bash")
                    .put(
                            "args",
                            new JsonObject()
                                    .put("command", command)
                                    .put("cwd", folder.getFileName().toString())));
            this.said = Files.newOutputStream(pipe);
        }

        void say(String text) throws IOException {
            say(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        void say(byte[] bytes) throws IOException {
            said.write(bytes);
            said.flush();
        }

        CompletableFuture<JsonObject> page(long offset, long waitMs) {
            return CompletableFuture.supplyAsync(() -> {
                HttpResponse<String> answer =
                        edge.get("/tasks/" + task + "/output?offset_bytes=" + offset + "&wait=" + waitMs);
                assertEquals(200, answer.statusCode(), answer.body());
                return new JsonObject(answer.body());
            });
        }

        @Override
        public void close() throws IOException {
            said.close();
            assertTrue(edge.ended(task).getString("status").equals("exited"));
        }
    }
}
