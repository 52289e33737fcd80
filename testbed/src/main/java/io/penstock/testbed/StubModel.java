package io.penstock.testbed;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A model for real agent programs that needs no network: it speaks OpenAI's chat completions and responses, with streaming, and does what
 * the last message of the user says. {@code RUN(command)} calls the program's tool for commands, one call for each; then {@code SAY(text)}
 * is said, or "pong". {@code HOLD()} waits for {@link Held#release} before that.
 */
public final class StubModel implements AutoCloseable {

    /** The usage that each answer reports. */
    public static final int INPUT_TOKENS = 100;

    public static final int OUTPUT_TOKENS = 20;

    private static final int PATIENCE_SECONDS = 60;

    /** An answer that waits. */
    public static final class Held {
        private final CountDownLatch released = new CountDownLatch(1);

        public void release() {
            released.countDown();
        }
    }

    private final HttpServer server;
    private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
    private final List<Held> all = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public StubModel() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    /** The base address of the interfaces. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    /** The next answer that waits, when the program has asked for it and has got its beginning. */
    public Held held() {
        try {
            Held next = held.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no program has asked for an answer that waits");
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The bodies of the requests so far. */
    public List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        all.forEach(Held::release);
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            if (path.endsWith("/chat/completions")) {
                requests.add(body);
                stream(exchange, new ChatAnswer(new JsonObject(body)));
            } else if (path.endsWith("/responses")) {
                requests.add(body);
                stream(exchange, new ResponsesAnswer(new JsonObject(body)));
            } else {
                byte[] models = new JsonObject()
                        .put("object", "list")
                        .put("data", new JsonArray())
                        .encode()
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(path.endsWith("/models") ? 200 : 404, models.length);
                exchange.getResponseBody().write(models);
            }
        }
    }

    private void stream(HttpExchange exchange, ModelAnswer answer) throws IOException {
        exchange.getResponseHeaders().add("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            write(out, answer.begin());
            if (answer.script().holds()) {
                await();
            }
            write(out, answer.rest());
        }
    }

    private void await() {
        var waiting = new Held();
        all.add(waiting);
        held.add(waiting);
        try {
            waiting.released.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void write(OutputStream out, Stream<String> events) throws IOException {
        for (String event : events.toList()) {
            out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
        }
        out.flush();
    }
}
