package io.penstock.bench.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A session whose mailbox nobody reads, and its webhook, while the server is killed again and again: matches that were being merged and items
 * that were being delivered are neither lost nor double, and come in order.
 */
final class DeliverySoak {

    private static final int MATCHES = 2_000;

    /** Deliveries that the receiver refuses: one in so many. */
    private static final int REFUSES = 20;

    /** Longer than a run writes its matches. */
    private static final int LONGEST_LIFE_MS = 3_000;

    private final PrintStream out;
    private final Path folder;
    private final int kills;
    private final Random random;
    private final Random refusals;
    private final List<String> runs = new ArrayList<>();
    private final Set<String> delivered = new LinkedHashSet<>();

    DeliverySoak(PrintStream out, Path folder, int kills, long seed) {
        this.out = out;
        this.folder = folder;
        this.kills = kills;
        this.random = new Random(seed);
        this.refusals = new Random(seed);
    }

    void run() throws IOException, InterruptedException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::receive);
        receiver.start();
        try {
            for (int kill = 0; kill < kills; kill++) {
                try (SoakedServer server = SoakedServer.start(folder, List.of())) {
                    if (kill == 0) {
                        server.put(
                                "/sessions/s/webhook",
                                new JsonObject()
                                        .put(
                                                "url",
                                                "http://127.0.0.1:"
                                                        + receiver.getAddress().getPort() + "/"));
                    }
                    runs.add(server.spawn(matching()));
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS));
                    server.end(true);
                }
            }
            try (SoakedServer server = SoakedServer.start(folder, List.of())) {
                check(server);
            }
        } finally {
            receiver.stop(0);
        }
    }

    private static JsonObject matching() {
        return new JsonObject()
                .put("tool", "bash")
                .put("origin_session_id", "s")
                .put("args", new JsonObject().put("command", "seq 1 " + MATCHES + "; sleep 1; seq 1 " + MATCHES))
                .put(
                        "watch",
                        new JsonArray()
                                .add(new JsonObject().put("regex", "^\\d+$").put("event", "number")));
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            boolean refused;
            synchronized (delivered) {
                refused = refusals.nextInt(REFUSES) == 0;
                if (!refused) {
                    delivered.add(exchange.getRequestHeaders().getFirst("webhook-id"));
                }
            }
            exchange.sendResponseHeaders(refused ? 503 : 204, -1);
        }
    }

    private void check(SoakedServer server) throws InterruptedException {
        for (String run : runs) {
            while (!"ended".equals(new JsonObject(server.get("/tasks/" + run + "?wait=50000")).getString("phase"))) {
                // It answers when the task has ended, or after a while.
            }
        }
        while (new JsonObject(server.get("/sessions/s/webhook")).getInteger("waiting") > 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        List<JsonObject> items = items(server);
        List<String> keys = items.stream().map(item -> item.getString("key")).toList();
        synchronized (delivered) {
            if (!keys.equals(List.copyOf(delivered))) {
                throw new SoakFailure("delivered were " + delivered + ", and the items are " + keys);
            }
        }
        long hits = 0;
        for (String run : runs) {
            hits += checkHits(server, run, items);
        }
        out.printf(
                "soak queue: %d matches in %d items, each once in the mailbox and at the webhook, in order, with %d times"
                        + " kill -9%n",
                hits, items.size(), kills);
    }

    private static List<JsonObject> items(SoakedServer server) {
        var items = new ArrayList<JsonObject>();
        JsonObject page;
        long from = 0;
        do {
            page = new JsonObject(server.get("/sessions/s/mailbox?from_seq=" + from));
            page.getJsonArray("items").forEach(item -> items.add((JsonObject) item));
            from = page.getLong("next_seq");
        } while (!page.getJsonArray("items").isEmpty());
        return items;
    }

    /** Returns the number of the run's matches. */
    private static long checkHits(SoakedServer server, String run, List<JsonObject> items) {
        var found = new ArrayList<Long>();
        server.get("/tasks/" + run + "/events?until=end")
                .lines()
                .filter(line -> line.startsWith("data: ") && line.contains("\"task_watcher_hit\""))
                .forEach(line -> found.add(new JsonObject(line.substring("data: ".length())).getLong("seq")));
        var mailed = new ArrayList<Long>();
        for (JsonObject item : items) {
            if (run.equals(item.getString("task_id")) && item.getLong("task_seq") != null) {
                long first = item.getLong("task_seq");
                long last = item.getLong("last_task_seq", first);
                found.stream().filter(seq -> seq >= first && seq <= last).forEach(mailed::add);
            }
        }
        if (!mailed.equals(found)) {
            throw new SoakFailure(
                    "the run " + run + " has " + found.size() + " matches, and its items have " + mailed.size());
        }
        return found.size();
    }
}
