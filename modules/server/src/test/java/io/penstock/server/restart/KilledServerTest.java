package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * kill -9 of the server during its tasks, and a start on the same data: frames that were seen are there, and running
 * programs are gone.
 */
@Tag("RECORDED_BEFORE_SEEN")
@Tag("server")
class KilledServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int TASKS = 24;

    private final Path data = ServerProcess.folder();

    /** In the environment of every program of this test, to find its survivors. */
    private final String marker =
            "PENSTOCK_TEST_" + UUID.randomUUID().toString().replace("-", "");

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void end() {
        client.shutdownNow();
        marked().forEach(ProcessHandle::destroyForcibly);
        ServerProcess.delete(data);
    }

    @Test
    void afterAKillEverySeenFrameIsThereAndNoTaskRuns() throws Exception {
        var seen = new ConcurrentHashMap<String, List<String>>();
        var watching = new ArrayList<Thread>();
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            var allRun = new CountDownLatch(TASKS);
            for (int i = 0; i < TASKS; i++) {
                String task = spawn(server, i);
                seen.put(task, new ArrayList<>());
                watching.add(Thread.startVirtualThread(() -> watch(server, task, seen, allRun)));
            }
            assertTrue(allRun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "not all run");
            // Some more, which the kill hits at any moment of their start.
            var killed = new AtomicBoolean();
            var more = new CountDownLatch(6);
            Thread spawning = Thread.startVirtualThread(() -> {
                try {
                    for (int i = 0; !killed.get(); i++) {
                        seen.put(spawn(server, i), List.of());
                        more.countDown();
                    }
                } catch (UncheckedIOException itIsGone) {
                    // This is the condition awaited.
                }
            });
            assertTrue(more.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no more tasks");
            List<ProcessHandle> postgres = server.handle()
                    .children()
                    .filter(child -> child.info().command().orElse("").endsWith("postgres"))
                    .toList();
            server.signal("KILL");
            server.exitCode();
            killed.set(true);
            spawning.join(PATIENCE);
            for (Thread thread : watching) {
                assertTrue(thread.join(PATIENCE), "still watching a dead server");
            }
            for (ProcessHandle one : postgres) {
                one.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            for (Map.Entry<String, List<String>> task : seen.entrySet()) {
                checkLost(server, task.getKey(), task.getValue());
            }
            assertEquals(List.of(), marked().toList());
            // A task's file is deleted after its last frame.
            server.signal("TERM");
            server.exitCode();
        }
        try (Stream<Path> live = Files.list(data.resolve("live"))) {
            assertEquals(List.of(), live.toList());
        }
    }

    private void checkLost(ServerProcess server, String task, List<String> seen) {
        List<String> frames =
                events(get(server, "/tasks/" + task + "/events?until=end").body());
        assertTrue(frames.size() > seen.size(), task);
        assertEquals(seen, frames.subList(0, seen.size()));
        var last = new JsonObject(frames.getLast());
        assertEquals("lost", last.getString("outcome"), last::encode);

        var status = new JsonObject(get(server, "/tasks/" + task).body());
        assertEquals("lost", status.getString("outcome"));
        JsonObject logs = status.getJsonObject("artifacts").getJsonObject("logs");
        for (String channel : logs.fieldNames()) {
            long stored = logs.getJsonObject(channel).getLong("bytes_stored");
            var output = get(server, "/tasks/" + task + "/output?stream=" + channel + "&max_bytes=1000");
            assertEquals(200, output.statusCode(), output::body);
            assertEquals(Math.min(1_000, stored), new JsonObject(output.body()).getLong("bytes"), output::body);
            assertNull(logs.getJsonObject(channel).getString("error"));
            assertTrue(isSealed(task + "." + channel), () -> task + "." + channel);
        }
    }

    private boolean isSealed(String id) {
        return Files.exists(new ArtifactFiles(data.resolve("artifacts")).seal(id));
    }

    /** Of every kind: fast writers, idle ones, some with grandchildren that outlive them, in both modes. */
    private String spawn(ServerProcess server, int number) {
        String command = switch (number % 4) {
            case 0 -> "i=0; while :; do echo line $((i++))" + (number < 8 ? "" : "; sleep 0.02") + "; done";
            case 1 -> "echo idle; exec sleep 600";
            case 2 -> "(trap '' HUP; sleep 600 & sleep 601) & echo grandchildren; exec sleep 602";
            default -> "trap '' TERM HUP; while :; do echo slow; sleep 0.05; done";
        };
        var body = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", number % 8 < 4 ? "pipes" : "pty")
                .put("args", new JsonObject().put("command", command).put("env", new JsonObject().put(marker, "1")));
        HttpResponse<String> spawned = send(to(server, "/tasks")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.encode())));
        assertEquals(201, spawned.statusCode(), spawned::body);
        return new JsonObject(spawned.body()).getString("task_id");
    }

    /** Records all complete events until the server is gone. */
    private void watch(ServerProcess server, String task, Map<String, List<String>> seen, CountDownLatch running) {
        var events = new ArrayList<String>();
        try {
            HttpResponse<Stream<String>> answer =
                    client.send(to(server, "/tasks/" + task + "/events").build(), BodyHandlers.ofLines());
            try (Stream<String> lines = answer.body()) {
                var unfinished = new StringBuilder();
                lines.forEach(line -> {
                    if (line.startsWith("data: ")) {
                        unfinished.append(line.substring("data: ".length()));
                    } else if (line.isEmpty() && !unfinished.isEmpty()) {
                        events.add(unfinished.toString());
                        unfinished.setLength(0);
                        if (events.size() == 3) {
                            running.countDown();
                        }
                    }
                });
            }
        } catch (IOException | UncheckedIOException | InterruptedException itIsGone) {
            // Everything seen until then counts.
        }
        seen.put(task, events);
    }

    private static List<String> events(String text) {
        return text.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    private HttpResponse<String> get(ServerProcess server, String path) {
        return send(to(server, path));
    }

    private static HttpRequest.Builder to(ServerProcess server, String path) {
        return HttpRequest.newBuilder(URI.create(server.address() + path)).timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Stream<ProcessHandle> marked() {
        return ProcessHandle.allProcesses().filter(this::isMarked);
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(marker);
        } catch (IOException itHasEnded) {
            return false;
        }
    }
}
