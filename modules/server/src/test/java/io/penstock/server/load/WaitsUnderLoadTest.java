package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many long polls on many short tasks, with all processors busy: none misses what it waits for. A second of it
 * here; {@code -Dpenstock.waits.seconds=300} runs it for longer.
 */
@Tag("server")
class WaitsUnderLoadTest {

    private static final int SECONDS = Integer.getInteger("penstock.waits.seconds", 1);

    /** Concurrent tasks, each with four waiters. */
    private static final int TASKS = 16;

    private static final long WAIT_MS = 30_000;

    /** From the awaited frame to its answer: all delays of the scheduler, and far below the wait. */
    private static final long LATE_MS = 10_000;

    private static final String COMMAND =
            "for i in 1 2 3 4 5 6; do echo line $i; sleep 0.0$((RANDOM % 10)); done; printf end";

    private static final String OUTPUT = "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nend";

    private final Path folder = ServerProcess.folder();
    private final Path data = folder.resolve("data");
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong latest = new AtomicLong();

    /** The result of one call, and when it was sent and answered. */
    private record Call(long sentMs, long answeredMs, JsonObject answer) {

        /** The delay after an event at that time. */
        long after(long thenMs) {
            return answeredMs - Math.max(sentMs, thenMs);
        }
    }

    @AfterEach
    void deleteFolder() {
        client.shutdownNow();
        ServerProcess.delete(folder);
    }

    /** If each frame waits for the disk, it is shown some time after it was written, and others may show it first. */
    @ParameterizedTest
    @ValueSource(strings = {"interval", "always"})
    void everyoneWhoWaitsIsAnsweredWhenItHasHappened(String fsync) throws Exception {
        var stopped = new AtomicBoolean();
        int tasks = 0;
        try (var server = ServerProcess.ready(data, "--port", "0", "--journal-fsync", fsync);
                ExecutorService waiters = Executors.newVirtualThreadPerTaskExecutor()) {
            String token = Files.readString(data.resolve("token")).strip();
            List<Thread> burners = burn(stopped);
            try {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
                var running = new ArrayList<Future<Void>>();
                while (System.nanoTime() < end || !running.isEmpty()) {
                    while (running.size() < TASKS && System.nanoTime() < end) {
                        running.add(waiters.submit(() -> watchOne(server.address(), token, waiters)));
                        tasks++;
                    }
                    running.removeFirst().get(4 * WAIT_MS, TimeUnit.MILLISECONDS);
                }
            } finally {
                stopped.set(true);
                for (Thread burner : burners) {
                    burner.join();
                }
            }
        }
        assertTrue(tasks >= TASKS, tasks + " tasks");
        System.out.println(tasks + " tasks, " + answers + " answers that were waited for, the latest " + latest
                + " ms after what it waited for");
    }

    /** One for each processor, so that everything else has to wait for its turn. */
    private static List<Thread> burn(AtomicBoolean stopped) {
        var burners = new ArrayList<Thread>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            burners.add(Thread.ofPlatform().start(() -> {
                while (!stopped.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        return burners;
    }

    private Void watchOne(String address, String token, ExecutorService waiters) throws Exception {
        JsonObject body = new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", COMMAND));
        String path = address + "/tasks/"
                + new JsonObject(send(request(address + "/tasks", token)
                                .header("content-type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body.encode()))))
                        .getString("task_id");
        Callable<Call> status = () -> call(path + "?wait=" + WAIT_MS, token);
        Callable<List<Call>> output = () -> pages(path, token);
        List<Future<Call>> ends = List.of(waiters.submit(status), waiters.submit(status));
        List<Future<List<Call>>> readings = List.of(waiters.submit(output), waiters.submit(output));
        long endedMs = 0;
        for (Future<Call> waiting : ends) {
            Call end = waiting.get();
            assertEquals("exited", end.answer().getString("status"), end::toString);
            endedMs = end.answer().getLong("ended_at_ms");
            checkNotLate(end, endedMs);
        }
        List<JsonObject> deltas = deltas(path, token);
        for (Future<List<Call>> reading : readings) {
            var text = new StringBuilder();
            for (Call page : reading.get()) {
                long offset = page.answer().getLong("offset_bytes");
                checkNotLate(page, reachedBeyond(deltas, offset, endedMs));
                text.append(page.answer().getString("content"));
            }
            assertEquals(OUTPUT, text.toString());
        }
        return null;
    }

    private void checkNotLate(Call call, long happenedMs) {
        long late = call.after(happenedMs);
        latest.accumulateAndGet(late, Math::max);
        answers.incrementAndGet();
        assertTrue(late < LATE_MS, () -> late + " ms late: " + call);
    }

    /** When there was something to read from there on, or else the end. */
    private static long reachedBeyond(List<JsonObject> deltas, long offset, long endedMs) {
        for (JsonObject delta : deltas) {
            if (delta.getJsonObject("artifacts").getJsonObject("log").getLong("bytes_stored") > offset) {
                return delta.getLong("timestamp_ms");
            }
        }
        return endedMs;
    }

    private List<Call> pages(String path, String token) throws IOException, InterruptedException {
        var pages = new ArrayList<Call>();
        long offset = 0;
        Call page;
        do {
            page = call(path + "/output?offset_bytes=" + offset + "&wait=" + WAIT_MS, token);
            pages.add(page);
            offset += page.answer().getLong("bytes");
        } while (page.answer().getLong("bytes") > 0);
        return pages;
    }

    private List<JsonObject> deltas(String path, String token) throws IOException, InterruptedException {
        var deltas = new ArrayList<JsonObject>();
        for (String line : send(request(path + "/events?until=end", token)).split("\n")) {
            if (line.startsWith("data: ") && line.contains("\"tool_task_output_delta\"")) {
                deltas.add(new JsonObject(line.substring("data: ".length())));
            }
        }
        return deltas;
    }

    private Call call(String url, String token) throws IOException, InterruptedException {
        long sentMs = System.currentTimeMillis();
        String answer = send(request(url, token));
        return new Call(sentMs, System.currentTimeMillis(), new JsonObject(answer));
    }

    private static HttpRequest.Builder request(String url, String token) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMillis(2 * WAIT_MS))
                .header("authorization", "Bearer " + token);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(answer.statusCode() < 300, () -> answer.statusCode() + " " + answer.body());
        return answer.body();
    }
}
