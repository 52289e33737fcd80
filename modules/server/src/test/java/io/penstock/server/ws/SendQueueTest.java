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

    /** 80 MB, much more than a kernel takes for who does not read. */
    private static final int MESSAGES = 2_000;

    private static final String REST = "x".repeat(40_000);

    private final Vertx vertx = Vertx.vertx();
    private int made;

    @AfterEach
    void end() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void ofALongScreenNoMoreIsMadeThanThereIsRoomForAndWhatComesBehindItComesLater() throws Exception {
        var madeAtOnce = new CompletableFuture<Integer>();
        HttpServer server = vertx.createHttpServer()
                .webSocketHandler(socket -> madeAtOnce.complete(sendAll(socket)))
                .listen(0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        try (var socket = new BareSocket(URI.create("http://127.0.0.1:" + server.actualPort()), "/", "any").open()) {
            int atOnce = madeAtOnce.get(20, TimeUnit.SECONDS);
            assertTrue(0 < atOnce && atOnce < MESSAGES / 2, atOnce + " were made for one who reads nothing");
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals(i + REST, socket.next().text());
            }
            assertEquals("behind\nall of it", socket.next().text());
        }
    }

    /** Says how many messages it has made before it gave its thread to others. */
    private int sendAll(ServerWebSocket socket) {
        var steps = new ViewerContext(vertx.getOrCreateContext(), why -> socket.close());
        var outgoing = new SendQueue(vertx, steps, socket, true, () -> {});
        Iterator<Buffer> screen =
                IntStream.range(0, MESSAGES).mapToObj(this::message).iterator();
        outgoing.sendAll(screen);
        outgoing.sendSoon(Buffer.buffer("behind"));
        outgoing.sendSoon(Buffer.buffer("all of it"));
        outgoing.flush();
        assertTrue(outgoing.isFull());
        return made;
    }

    private Buffer message(int number) {
        made++;
        return Buffer.buffer(number + REST);
    }
}
