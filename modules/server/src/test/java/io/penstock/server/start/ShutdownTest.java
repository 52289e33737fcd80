package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The view of connected clients while the server is stopped. */
@Tag("server")
class ShutdownTest {

    /** A viewer with this much unparsed output is sent no more. */
    private static final int UNPARSED_BYTES = 128 * 1024;

    private final Path data = ServerProcess.folder();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void end() {
        client.shutdownNow();
        ServerProcess.delete(data);
    }

    @Test
    void viewersSeeHowTheirTaskEndedAndTheirStreamsEnd() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            String task = spawn(server, "echo begun; exec sleep 100");
            // Read to its end without an exception: it ended as a stream does, and was not cut.
            var events = CompletableFuture.supplyAsync(() -> {
                try (Stream<String> lines = client.send(
                                HttpRequest.newBuilder(URI.create(server.address() + "/tasks/" + task + "/events"))
                                        .build(),
                                BodyHandlers.ofLines())
                        .body()) {
                    return lines.peek(line -> {
                                if (line.contains("begun\\n")) {
                                    server.signal("TERM");
                                }
                            })
                            .toList();
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            List<String> seen = events.get(30, TimeUnit.SECONDS);
            assertTrue(
                    seen.stream().anyMatch(line -> line.contains("\"tool_task_status\"") && line.contains("cancelled")),
                    seen::toString);
            assertEquals(128 + 15, server.exitCode());
            assertEquals("Penstock has stopped.", server.said().getLast());
        }
    }

    @Test
    void aViewerWhoDoesNotReadKeepsNobodyWaiting() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            String task = spawn(server, "yes");
            URI address = URI.create(server.address());
            try (var stalled = new Socket(address.getHost(), address.getPort())) {
                stalled.getOutputStream()
                        .write(("GET /tasks/" + task + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                InputStream answer = stalled.getInputStream();
                assertEquals('H', answer.read());
                long asked = System.nanoTime();
                server.signal("TERM");
                assertEquals(128 + 15, server.exitCode());
                assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - asked) < 25, "it waited");
            }
        }
    }

    @Test
    void aViewerWhoIsHeldUpIsToldThatItIsTheServerThatEnds() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            String task = spawn(server, TaskClient.terminal("stty -echo; read go; yes"));
            try (Attached viewer = Attached.json(server, task, "behind=frames")) {
                // Before the program starts to write: all its output counts as unparsed.
                viewer.say(new JsonObject().put("type", "parsed").put("next_seq", 0));
                viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", "go\r"));
                long[] bytes = {0};
                viewer.until(object -> {
                    if (object.getString("type").equals("tool_task_output_delta")) {
                        bytes[0] += object.getJsonObject("artifacts")
                                .getJsonObject("log")
                                .getLong("bytes");
                    }
                    return bytes[0] >= UNPARSED_BYTES;
                });
                server.signal("TERM");
                viewer.rest(1001);
            }
            assertEquals(128 + 15, server.exitCode());
        }
    }

    private static String spawn(ServerProcess server, String command) {
        return spawn(
                server, new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", command)));
    }

    private static String spawn(ServerProcess server, JsonObject body) {
        var spawned = server.post("/tasks", body.encode());
        assertEquals(201, spawned.statusCode(), spawned.body());
        return new JsonObject(spawned.body()).getString("task_id");
    }
}
