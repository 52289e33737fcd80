package io.penstock.server.ws;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.attach.BareSocket;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a viewer counts as gone. It beats when the test says, so that a pause of the machine is no missing answer. */
class KeepaliveTest {

    private static final long NEVER_MS = TimeUnit.DAYS.toMillis(1);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger dead = new AtomicInteger();
    private final Semaphore read = new Semaphore(0);
    private final Promise<Keepalive> opened = Promise.promise();
    private final Promise<Context> owner = Promise.promise();
    private volatile boolean isRead = true;
    private BareSocket viewer;

    @BeforeEach
    void open() throws IOException {
        var options = AttachRoutes.withSockets(new HttpServerOptions().setPort(0));
        HttpServer server = await(
                vertx.createHttpServer(options).webSocketHandler(this::accept).listen());
        viewer = new BareSocket(URI.create("http://127.0.0.1:" + server.actualPort()), "/", "penstock.v1.json").open();
    }

    private void accept(ServerWebSocket socket) {
        Context context = vertx.getOrCreateContext();
        socket.textMessageHandler(text -> read.release());
        opened.complete(new Keepalive(
                vertx,
                new ViewerContext(context, opened::tryFail),
                socket,
                NEVER_MS,
                () -> isRead,
                dead::incrementAndGet));
        owner.complete(context);
    }

    @AfterEach
    void close() throws IOException {
        viewer.close();
        await(vertx.close());
    }

    private void beat() {
        Keepalive keepalive = await(opened.future());
        Promise<Void> done = Promise.promise();
        await(owner.future()).runOnContext(here -> {
            keepalive.beat();
            done.complete();
        });
        await(done.future());
    }

    private void ping() throws IOException {
        beat();
        assertEquals(BareSocket.PING, viewer.next().opcode());
    }

    /** Until the server has read the answer, which comes before the text. */
    private void answer() throws IOException, InterruptedException {
        viewer.send(BareSocket.PONG, false, new byte[0]);
        viewer.send("after it");
        read.acquire();
    }

    @Test
    void viewerIsGoneAfterTooManyUnansweredPings() throws Exception {
        for (int pings = 1; pings <= 3 * WsLimits.UNANSWERED_PINGS; pings++) {
            ping();
            // Not every ping, as over a bad line.
            if (pings % WsLimits.UNANSWERED_PINGS == 0) {
                answer();
            }
        }
        for (int pings = 0; pings < WsLimits.UNANSWERED_PINGS; pings++) {
            ping();
        }
        assertEquals(0, dead.get());
        beat();
        assertEquals(1, dead.get());
    }

    @Test
    void viewerThatIsNotReadNeedNotAnswer() throws Exception {
        isRead = false;
        for (int pings = 0; pings <= WsLimits.UNANSWERED_PINGS; pings++) {
            ping();
        }
        assertEquals(0, dead.get());
    }
}
