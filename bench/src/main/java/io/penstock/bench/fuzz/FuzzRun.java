package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Fuzzes a server over HTTP and WebSockets, while a well-behaved caller runs small tasks and must not be affected. The
 * server's log must not contain a stack trace.
 */
public final class FuzzRun {

    /** The limit for a small task of the well-behaved caller, from its spawn until its output has been read. */
    private static final long PROBE_MS = 10_000;

    private static final long PROBE_EVERY_MS = 200;

    private final LoadedServer server;
    private final PrintStream out;
    private final int callers;
    private final long seed;

    public FuzzRun(LoadedServer server, PrintStream out, int callers, long seed) {
        this.server = server;
        this.out = out;
        this.callers = callers;
        this.seed = seed;
    }

    /** Sends requests to every operation of the OpenAPI document. */
    public void http(long seconds) throws IOException, InterruptedException {
        Operations operations =
                Operations.read(new JsonObject(get("/openapi.json").text()));
        var tasks = new KnownTasks();
        var all = new ArrayList<HttpFuzz>();
        var work = new ArrayList<Callable<Void>>();
        for (int i = 0; i < callers; i++) {
            var one = new HttpFuzz(server, operations, tasks, seed + i);
            all.add(one);
            work.add(() -> {
                one.run(seconds);
                return null;
            });
        }
        together(work, seconds);
        var statuses = new TreeMap<Integer, Integer>();
        all.forEach(one -> one.statuses().forEach((status, count) -> statuses.merge(status, count, Integer::sum)));
        var failures = new TreeMap<String, String>();
        all.forEach(one -> failures.putAll(one.failures()));
        out.printf(
                "fuzz http: %d requests to %d operations, answers by status %s%n",
                sum(statuses), operations.all().size(), statuses);
        if (!failures.isEmpty()) {
            var text = new StringBuilder(failures.size() + " kinds of wrong answers:");
            failures.forEach((kind, example) ->
                    text.append("\n\n== ").append(kind).append('\n').append(example));
            throw new SoakFailure(text.toString());
        }
        checkLog();
    }

    /** Sends messages to terminals, in each subprotocol. */
    public void sockets(long seconds) throws IOException, InterruptedException {
        var all = new ArrayList<SocketFuzz>();
        var work = new ArrayList<Callable<Void>>();
        for (int i = 0; i < callers; i++) {
            var one = new SocketFuzz(server, new Terminals(), this::stillRuns, seed + i);
            all.add(one);
            work.add(() -> {
                one.run(seconds);
                return null;
            });
        }
        together(work, seconds);
        var ends = new TreeMap<Integer, Integer>();
        all.forEach(one -> one.ends().forEach((code, count) -> ends.merge(code, count, Integer::sum)));
        out.printf("fuzz sockets: %d viewers, by the code of their close %s (0: still attached)%n", sum(ends), ends);
        checkLog();
    }

    /** The task for one viewer after another, replaced once it has ended. */
    private final class Terminals implements java.util.function.Supplier<String> {
        private String task = "";

        @Override
        public String get() {
            try {
                if (task.isEmpty() || !isRunning(task)) {
                    task = spawn("pty", "stty raw -echo; cat");
                }
                return task;
            } catch (IOException e) {
                throw new SoakFailure("no terminal could be started: " + e.getMessage());
            }
        }
    }

    private static int sum(TreeMap<Integer, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void together(List<Callable<Void>> work, long seconds) throws IOException, InterruptedException {
        long upNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size() + 1)) {
            CompletionService<Void> running = new ExecutorCompletionService<>(threads);
            work.forEach(running::submit);
            running.submit(() -> {
                probe(upNanos);
                return null;
            });
            for (int i = 0; i < work.size() + 1; i++) {
                try {
                    running.take().get();
                } catch (ExecutionException e) {
                    threads.shutdownNow();
                    if (e.getCause() instanceof SoakFailure failure) {
                        throw failure;
                    }
                    throw new IOException("a caller failed: " + e.getCause(), e.getCause());
                }
            }
        }
    }

    private void checkLog() throws IOException {
        List<String> traces = server.errors().stream()
                .filter(line -> line.startsWith("\tat "))
                .limit(20)
                .toList();
        if (!traces.isEmpty()) {
            throw new SoakFailure("the server's log has stack traces:\n" + String.join("\n", traces));
        }
    }

    /** The caller that must not be affected. */
    private void probe(long upNanos) throws IOException, InterruptedException {
        long slowest = 0;
        int count = 0;
        while (System.nanoTime() < upNanos) {
            long begin = System.nanoTime();
            String task = spawn("pipes", "echo probe");
            while (isRunning(task)) {
                // The wait happens in the server.
            }
            String output = get("/tasks/" + task + "/output/stdout").text();
            long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            if (!output.equals("probe\n") || ms > PROBE_MS) {
                throw new SoakFailure("a small task took " + ms + " ms and wrote \"" + output + "\"");
            }
            slowest = Math.max(slowest, ms);
            count++;
            TimeUnit.MILLISECONDS.sleep(PROBE_EVERY_MS);
        }
        out.printf("fuzz: %d small tasks beside it, the slowest in %d ms%n", count, slowest);
    }

    private boolean stillRuns(String task) {
        try {
            return isRunning(task);
        } catch (IOException e) {
            throw new SoakFailure("the state of a terminal cannot be asked for", e);
        }
    }

    private boolean isRunning(String task) throws IOException {
        JsonObject state = new JsonObject(get("/tasks/" + task + "?wait=100").text());
        return !"ended".equals(state.getString("phase"));
    }

    private String spawn(String mode, String command) throws IOException {
        String body = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("timeout_secs", 600)
                .put("args", new JsonObject().put("command", command))
                .encode();
        HttpAnswer answer = send(
                "POST /tasks", "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n", body);
        if (answer.status() != 201) {
            throw new SoakFailure(
                    "a spawn of the well-behaved caller was answered with " + answer.status() + " " + answer.text());
        }
        return new JsonObject(answer.text()).getString("task_id");
    }

    private HttpAnswer get(String path) throws IOException {
        return send("GET " + path, "", "");
    }

    private HttpAnswer send(String what, String headers, String body) throws IOException {
        try (var connection = new HttpSocket(server.address())) {
            connection.send((what + " HTTP/1.1\r\nHost: " + server.address().getAuthority()
                            + "\r\nConnection: close\r\nAuthorization: Bearer " + server.token() + "\r\n" + headers
                            + "\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8));
            return connection.answer(true);
        }
    }
}
