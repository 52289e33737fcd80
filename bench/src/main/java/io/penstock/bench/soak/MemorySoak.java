package io.penstock.bench.soak;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests more from a server with a small heap than the heap could hold: large screens, pages of output that are not
 * read, silent viewers. The server may refuse some, but must survive, and answer small requests quickly.
 */
final class MemorySoak {

    private static final int HEAP_MIB = 512;

    /** Far above the time of a small answer on a busy machine, and far below callers' timeouts. */
    private static final long MOST_SMALL_MS = 10_000;

    private static final int SCREENS = 96;
    private static final int UNREAD_PAGES = 400;
    private static final int SILENT_VIEWERS = 36;

    /** Every cell has its own colour, as in pictures; then a page of control characters. */
    private static final String COLOURED = "import sys\n"
            + "for l in range(1100):\n"
            + " sys.stdout.write(''.join('\\x1b[38;5;%dm\\x1b[48;5;%dm%c' % ((l + c) % 256, c % 256, 97 + c % 26)"
            + " for c in range(500)) + '\\r\\n')\n";

    private final PrintStream out;
    private final int rounds;
    private final int terminals;
    private final Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Socket> unread = new ArrayList<>();
    private final Map<Integer, AtomicInteger> answers = new ConcurrentSkipListMap<>();
    private long smallWorstMs;
    private String smallWorst = "";

    MemorySoak(PrintStream out, int rounds, int terminals) throws IOException {
        this.out = out;
        this.rounds = rounds;
        this.terminals = terminals;
        this.folder = Files.createTempDirectory("penstock-soak-memory-");
        // As root, the server's Postgres runs under another account.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.resolve("work"));
    }

    void run() throws IOException, InterruptedException {
        var heap = "-Xmx" + HEAP_MIB + "m";
        var launcher = List.of("env", "JDK_JAVA_OPTIONS=" + heap + " -XX:+ExitOnOutOfMemoryError");
        try (SoakedServer server = SoakedServer.start(folder, launcher, List.of())) {
            Files.writeString(folder.resolve("work").resolve("coloured.py"), COLOURED);
            var large = new ArrayList<String>();
            for (int i = 0; i < terminals; i++) {
                large.add(server.spawn(task("python3 coloured.py", "pty", 50, 524)));
            }
            String page = server.spawn(task("head -c 2000000 /dev/zero | tr '\\0' '\\1'", "pipes", 0, 0));
            String small = server.spawn(task("echo small; sleep 100000", "pty", 24, 80));
            for (String task : large) {
                server.get("/tasks/" + task + "?wait=50000");
            }
            server.get("/tasks/" + page + "?wait=50000");
            for (int round = 1; round <= rounds; round++) {
                round(server, large, page, small);
                out.printf(
                        "soak memory: round %d: answers by status %s; a small caller waited %d ms at most,"
                                + " for %s; the server has %d"
                                + " MiB, and had %d at most%n",
                        round, counted(), smallWorstMs, smallWorst, memory(server, "VmRSS"), memory(server, "VmHWM"));
            }
            if (smallWorstMs > MOST_SMALL_MS) {
                throw new SoakFailure("a small caller waited " + smallWorstMs + " ms");
            }
        } finally {
            closeUnread();
            http.shutdownNow();
        }
    }

    private static JsonObject task(String command, String mode, int rows, int cols) {
        var args = new JsonObject().put("command", command);
        if (rows > 0) {
            args.put("rows", rows).put("cols", cols);
        }
        return new JsonObject().put("tool", "bash").put("execution_mode", mode).put("args", args);
    }

    private void round(SoakedServer server, List<String> large, String page, String small)
            throws IOException, InterruptedException {
        URI address = server.address();
        // Sent before the unread pages, behind which all of them would wait too long.
        var screens = new ArrayList<CompletableFuture<?>>();
        for (int i = 0; i < SCREENS; i++) {
            String task = large.get(i % large.size());
            screens.add(http.sendAsync(get(address, "/tasks/" + task + "/screen"), BodyHandlers.discarding())
                    .thenAccept(answer -> count(answer.statusCode())));
        }
        for (int i = 0; i < UNREAD_PAGES; i++) {
            ask(address, "GET /tasks/" + page + "/output?max_bytes=1048576 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        }
        for (int i = 0; i < SILENT_VIEWERS; i++) {
            ask(
                    address,
                    "GET /tasks/" + large.get(i % large.size()) + "/attach?screen=1000 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                            + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        }
        var all = CompletableFuture.allOf(screens.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            small(address, small);
        }
        try {
            all.join();
        } catch (CompletionException e) {
            throw new SoakFailure("a screen was not answered", e);
        }
        small(address, small);
        closeUnread();
    }

    private void ask(URI address, String request) throws IOException {
        var socket = new Socket(address.getHost(), address.getPort());
        unread.add(socket);
        OutputStream to = socket.getOutputStream();
        to.write(request.getBytes(StandardCharsets.US_ASCII));
        to.flush();
    }

    private void closeUnread() throws IOException {
        for (Socket socket : unread) {
            socket.close();
        }
        unread.clear();
    }

    private void count(int status) {
        answers.computeIfAbsent(status, s -> new AtomicInteger()).incrementAndGet();
    }

    private Map<Integer, Integer> counted() {
        var counted = new TreeMap<Integer, Integer>();
        answers.forEach((status, count) -> counted.put(status, count.get()));
        return counted;
    }

    private static HttpRequest get(URI address, String path) {
        return HttpRequest.newBuilder(address.resolve(path))
                .timeout(Duration.ofSeconds(120))
                .build();
    }

    /** All requests of a user with a small task. */
    private void small(URI address, String task) throws InterruptedException {
        for (String path : List.of("", "/screen", "/output?max_bytes=1000")) {
            long begun = System.nanoTime();
            try {
                HttpResponse<String> answer = http.send(get(address, "/tasks/" + task + path), BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new SoakFailure(
                            "a small caller was answered with " + answer.statusCode() + " " + answer.body());
                }
            } catch (IOException e) {
                throw new SoakFailure("the server does not answer a small caller", e);
            }
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            if (tookMs > smallWorstMs) {
                smallWorstMs = tookMs;
                smallWorst = path.isEmpty() ? "its status" : path;
            }
        }
    }

    private static long memory(SoakedServer server, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
