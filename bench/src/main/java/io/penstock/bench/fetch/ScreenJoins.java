package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.penstock.frames.ByteReader;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Attaches like the web client, and waits until the screen has arrived. */
final class ScreenJoins implements AutoCloseable {

    /** The entry type, as in docs/protocol.md. */
    private static final int SCREEN = 4;

    private static final long REST_MS = 20;

    /** The event that a joiner waits for. */
    enum Until {
        /** The screen is complete. */
        SCREEN_WHOLE,
        /** The following output is live, which comes later while much is written. */
        CAUGHT_UP
    }

    private final Vertx vertx = Vertx.vertx();
    private final WebSocketClient sockets =
            vertx.createWebSocketClient(new WebSocketClientOptions().setMaxMessageSize(1 << 20));
    private final LoadedServer server;
    private final int scrollback;

    ScreenJoins(LoadedServer server, int scrollback) {
        this.server = server;
        this.scrollback = scrollback;
    }

    /** Returns the milliseconds until then. */
    double attach(String task, Until until) {
        var satisfied = new CompletableFuture<@Nullable Void>();
        var request = new WebSocketConnectOptions()
                .setHost(server.address().getHost())
                .setPort(server.address().getPort())
                .setURI("/tasks/" + task + "/attach?rights=view&behind=screen&screen=" + scrollback)
                .addHeader("authorization", "Bearer " + server.token())
                .addSubProtocol("penstock.v1.binary");
        ClientWebSocket socket = sockets.webSocket();
        socket.handler(message -> {
            if (until == Until.SCREEN_WHOLE
                    ? isEndOfScreen(message)
                    : message.toString(StandardCharsets.ISO_8859_1).contains("\"attach_caught_up\"")) {
                satisfied.complete(null);
            }
        });
        socket.exceptionHandler(satisfied::completeExceptionally);
        long asked = System.nanoTime();
        socket.connect(request).onFailure(satisfied::completeExceptionally);
        satisfied.orTimeout(60, TimeUnit.SECONDS).join();
        double took = (System.nanoTime() - asked) / 1e6;
        socket.close();
        return took;
    }

    private static boolean isEndOfScreen(Buffer message) {
        var reader = new ByteReader(message.getBytes());
        while (reader.hasMore()) {
            int kind = reader.readByte();
            var entry = new ByteReader(reader.readBytes());
            if (kind == SCREEN) {
                entry.readNumber();
                entry.readNumber();
                entry.readNumber();
                if (entry.readNumber() == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Runs this many joiners concurrently, each joining repeatedly until the output is over; returns the milliseconds
     * of each join.
     */
    List<Double> whileRunning(String task, int joiners, CompletableFuture<?> over) throws InterruptedException {
        var times = new ArrayList<Double>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < joiners; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (!over.isDone()) {
                    double took = attach(task, Until.SCREEN_WHOLE);
                    synchronized (times) {
                        times.add(took);
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(REST_MS));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return times;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
