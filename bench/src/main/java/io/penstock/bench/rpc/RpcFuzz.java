package io.penstock.bench.rpc;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that send random requests in random orders, and lines that are no requests, on connections that they cut at random. Each line has
 * one response, a repeated request has its first answer, and events keep their order.
 */
final class RpcFuzz {

    private static final List<String> NAMES = List.of("one", "two", "three", "four");
    private static final List<String> PROMPTS = List.of(
            "/say a",
            "/tool look b\n/say c",
            "/sleep 30\n/say d",
            "/crash",
            "/say e\n/crash",
            "/garbage",
            "/flood 20000",
            "/stray",
            "\u2028\ud83d\udc69");
    private static final List<String> ODD = List.of(
            "x",
            "{",
            "[]",
            "null",
            "{}",
            "{\"id\":1}",
            "{\"id\":\"\"}",
            "{\"id\":\"a\",\"type\":7}",
            "{\"id\":\"b\",\"type\":\"prompt\",\"payload\":[]}",
            "{\"id\":\"\\u0000\",\"type\":\"stop_task\",\"payload\":{\"taskId\":\"one\"}}",
            "{\"id\":\"\\ud800\",\"type\":\"stop_task\",\"payload\":{\"taskId\":\"one\"}}",
            "{\"id\":\"c\",\"type\":\"create_or_open_task\",\"payload\":{\"taskId\":\"" + "n".repeat(70) + "\"}}",
            "{\"id\":\"d\",\"type\":\"get_state\",\"payload\":null,\"id\":\"e\"}",
            "[".repeat(5_000),
            "{\"a\":".repeat(2_000),
            "\u00ff\u00fe",
            "y".repeat(1 << 21));

    private final LoadedServer server;
    private final Map<String, JsonObject> answers = new HashMap<>();

    RpcFuzz(LoadedServer server) {
        this.server = server;
    }

    /** Returns the number of requests. */
    long run(long seconds, int callers, long seed) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long requests = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                var random = new Random(seed + caller);
                String prefix = seed + "-" + caller + "-";
                counts.add(threads.submit(() -> new Caller(random, prefix).run(end)));
            }
            for (Future<Long> count : counts) {
                requests += count.get();
            }
        } catch (ExecutionException e) {
            throw new SoakFailure("seed " + seed + ": " + e.getCause());
        }
        return requests;
    }

    /** The answer is the first of this request, or equal to it. */
    private synchronized void check(String line, JsonObject answer) {
        JsonObject first = answers.putIfAbsent(line, answer);
        if (first != null && !first.equals(answer)) {
            throw new SoakFailure("the answer to " + line + " was " + first + " and is " + answer);
        }
    }

    /** One host after another, with the same random numbers. */
    private final class Caller {

        private final Random random;
        private final String prefix;
        private final List<String> sent = new ArrayList<>();
        private final Map<String, String> requests = new HashMap<>();
        /** The requests that were made up on this connection. */
        private final Set<String> fresh = new HashSet<>();

        private final Set<String> accepted = new HashSet<>();
        private final Set<String> settled = new HashSet<>();
        private final Map<String, Integer> switching = new HashMap<>();
        private long count;

        Caller(Random random, String prefix) {
            this.random = random;
            this.prefix = prefix;
        }

        long run(long end) throws IOException {
            while (System.nanoTime() < end) {
                try (var host = new HostSocket(server.hosts(), server.token())) {
                    host.ask("begin", "get_state", new JsonObject());
                    fresh.clear();
                    accepted.clear();
                    settled.clear();
                    switching.clear();
                    int bursts = 1 + random.nextInt(12);
                    for (int i = 0; i < bursts && System.nanoTime() < end; i++) {
                        burst(host);
                    }
                    if (random.nextInt(3) > 0) {
                        settle(host);
                    } else {
                        host.send("{\"id\":\"cut".getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
            return count;
        }

        /** Some lines at once; then all of their responses are read. */
        private void burst(HostSocket host) throws IOException {
            int lines = 1 + random.nextInt(8);
            var all = new StringBuilder();
            for (int i = 0; i < lines; i++) {
                all.append(line()).append(random.nextInt(10) == 0 ? "\r\n" : "\n");
            }
            count += lines;
            host.send(all.toString().getBytes(StandardCharsets.UTF_8));
            while (lines > 0) {
                lines -= read(host) ? 1 : 0;
            }
        }

        private String line() {
            int kind = random.nextInt(20);
            if (kind == 0) {
                return ODD.get(random.nextInt(ODD.size()));
            }
            if (kind == 1 && !sent.isEmpty()) {
                return sent.get(random.nextInt(sent.size()));
            }
            String id = prefix + sent.size();
            String name = NAMES.get(random.nextInt(NAMES.size()));
            var payload = new JsonObject().put("taskId", name);
            String type = switch (kind) {
                case 2, 3, 4, 5 -> "create_or_open_task";
                case 6, 7, 8, 9 -> "switch_task";
                case 10 -> "stop_task";
                case 11, 12 -> "get_state";
                case 13 -> "fly";
                default -> "prompt";
            };
            if (type.equals("prompt")) {
                payload.put("message", PROMPTS.get(random.nextInt(PROMPTS.size())))
                        .put("promptId", id);
            }
            String line = new JsonObject()
                    .put("id", id)
                    .put("type", type)
                    .put("payload", payload)
                    .encode();
            sent.add(line);
            requests.put(id, line);
            fresh.add(id);
            return line;
        }

        /** Whether it was a response. */
        private boolean read(HostSocket host) throws IOException {
            String line = host.line();
            if (line == null) {
                throw new SoakFailure("the server has closed a connection");
            }
            JsonObject seen;
            try {
                seen = new JsonObject(line);
            } catch (DecodeException e) {
                throw new SoakFailure("the server has sent " + line);
            }
            if (seen.containsKey("event")) {
                event(seen.getString("event"), seen.getString("taskId"), seen.getJsonObject("payload"));
                return false;
            }
            response(seen);
            return true;
        }

        private void response(JsonObject response) {
            String message = response.getJsonObject("error", new JsonObject()).getString("message", "");
            if (message.contains("internal error")) {
                throw new SoakFailure("a request was answered " + response);
            }
            String line = requests.get(response.getString("id", ""));
            if (line == null) {
                return;
            }
            var request = new JsonObject(line);
            String type = request.getString("type");
            boolean first;
            synchronized (RpcFuzz.this) {
                first = fresh.contains(request.getString("id")) && !answers.containsKey(line);
            }
            if (!type.equals("get_state")) {
                check(line, response);
            }
            if (first && response.getBoolean("ok") && type.equals("prompt")) {
                accepted.add(request.getString("id"));
            } else if (first && response.getBoolean("ok") && type.equals("switch_task")) {
                switching.merge(request.getJsonObject("payload").getString("taskId"), 1, Integer::sum);
            }
        }

        private void event(String event, String task, JsonObject payload) {
            if (event.equals("task_switch_started")) {
                switching.computeIfPresent(task, (name, left) -> left > 1 ? left - 1 : null);
            }
            String promptId = payload.getString("promptId");
            if (promptId == null || !promptId.startsWith(prefix)) {
                return;
            }
            // A prompt of an earlier connection may still have events.
            boolean own = accepted.contains(promptId);
            if (fresh.contains(promptId) && (!own || settled.contains(promptId))) {
                throw new SoakFailure((own ? "after the end of the prompt " : "ahead of the response to the prompt ")
                        + promptId + ": " + event + " " + payload);
            }
            if (!event.equals("agent_output")) {
                settled.add(promptId);
            }
        }

        /** Everything that was begun comes to its end. */
        private void settle(HostSocket host) throws IOException {
            while (!switching.isEmpty() || !settled.containsAll(accepted)) {
                read(host);
            }
        }
    }

    /** A new connection is served. */
    void checkAlive() throws IOException {
        try (var host = new HostSocket(server.hosts(), server.token())) {
            @Nullable
            JsonObject result = host.ask("alive", "get_state", new JsonObject()).getJsonObject("result");
            Objects.requireNonNull(result, "the state");
        }
    }
}
