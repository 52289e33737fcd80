package io.penstock.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The short form of {@code ./penstock load}, on a server in its own process. */
@Tag("server")
class ShortLoadTest {

    private static final int TASKS = 12;
    private static final int VIEWERS = 3;
    private static final int BULK = 300_000;

    @TempDir
    Path folder = Path.of(".");

    private int load(String url, Path json, String... more) {
        var words = new java.util.ArrayList<>(List.of("--url", url, "--json", json.toString()));
        words.addAll(List.of(more));
        return new CommandLine(new LoadRun()).execute(words.toArray(String[]::new));
    }

    @Test
    void everyViewerSeesEveryFrameOnceInBothModes() throws Exception {
        try (LoadedServer server = LoadedServer.start()) {
            for (String mode : List.of("pipes", "pty")) {
                Path json = folder.resolve(mode);
                int exit = load(
                        server.address().toString(),
                        json,
                        "--token-file",
                        server.tokenFile().toString(),
                        "--tasks",
                        "" + TASKS,
                        "--viewers",
                        "" + VIEWERS,
                        "--lines",
                        "5",
                        "--every",
                        "2",
                        "--bulk",
                        "" + BULK,
                        "--mode",
                        mode);
                var report = new JsonObject(Files.readString(json));
                assertEquals(0, exit, report::encodePrettily);
                assertEquals(TASKS, report.getInteger("tasks"), report::encodePrettily);
                // Spawned, running, some output, the end; and all output, for each viewer.
                assertTrue(report.getLong("frames_seen") >= 4L * TASKS * VIEWERS, report::encodePrettily);
                assertTrue(
                        report.getLong("output_bytes_seen") >= (long) BULK * TASKS * VIEWERS, report::encodePrettily);
            }
        }
    }

    @Test
    void lostDuplicatedOrMissingFramesFailTheRun() throws Exception {
        assertEquals(0, loadOf("0 1 2"), "as it should be");
        assertEquals(1, loadOf("0 2"), "one left out");
        assertEquals(1, loadOf("0 1 1 2"), "one twice");
        assertEquals(1, loadOf("1 0 2"), "two have changed places");
        assertEquals(1, loadOf("0 1"), "the last is missing");
    }

    /** A server whose only task has three frames, and shows the given ones. */
    private int loadOf(String seqs) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/tasks", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.endsWith("/events")) {
                var events = new StringBuilder();
                for (String seq : seqs.split(" ")) {
                    events.append("id: ").append(seq).append("\ndata: {}\n\n");
                }
                answer(exchange, 200, events.toString());
            } else if (path.endsWith("/t")) {
                answer(exchange, 200, "{\"next_seq\":3}");
            } else {
                answer(exchange, 201, "{\"task_id\":\"t\"}");
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            return load(url, folder.resolve("doctored"), "--tasks", "2", "--viewers", "2");
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
