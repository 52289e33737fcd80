package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.attach.BareSocket;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import java.net.URI;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SendQueueTest {

    /** 80 MB, much more than a kernel buffers for a client that does not read. */
    private static final int MESSAGES = 2_000;

    private static final String REST = "x".repeat(40_000);

    private final Vertx vertx = Vertx.vertx();
    private int encoded;

    @AfterEach
    void end() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void longScreenIsEncodedAsThereIsRoomAndMessagesFollowIt() throws Exception {
        var encodedAtOnce = new CompletableFuture<Integer>();
        HttpServer server = vertx.createHttpServer()
                .webSocketHandler(socket -> encodedAtOnce.complete(sendAll(socket)))
                .listen(0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        try (var socket = new BareSocket(URI.create("http://127.0.0.1:" + server.actualPort()), "/", "any").open()) {
            int atOnce = encodedAtOnce.get(20, TimeUnit.SECONDS);
            assertTrue(0 < atOnce && atOnce < MESSAGES / 2, atOnce + " were encoded for a client that reads nothing");
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals(i + REST, socket.next().text());
            }
            assertEquals("behind\nall of it", socket.next().text());
        }
    }

    /** Returns the number of messages that were encoded in this call. */
    private int sendAll(ServerWebSocket socket) {
        var context = new ViewerContext(vertx.getOrCreateContext(), why -> socket.close());
        var queue = new SendQueue(vertx, context, socket, true, () -> {});
        Iterator<Buffer> screen =
                IntStream.range(0, MESSAGES).mapToObj(this::message).iterator();
        queue.sendAll(screen);
        queue.sendSoon(Buffer.buffer("behind"));
        queue.sendSoon(Buffer.buffer("all of it"));
        queue.flush();
        assertTrue(queue.isFull());
        return encoded;
    }

    private Buffer message(int number) {
        encoded++;
        return Buffer.buffer(number + REST);
    }
}
