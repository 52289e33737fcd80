package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.function.BooleanSupplier;

/**
 * Pings a viewer, and notices when it answers no more: whose laptop sleeps or has changed its network says no goodbye, and the kernel
 * would wait a quarter of an hour for it. Lives on the socket's context.
 */
final class Keepalive {

    private final Vertx vertx;
    private final ViewerContext steps;
    private final ServerWebSocket socket;
    private final long everyMs;
    private final BooleanSupplier isHeard;
    private final Runnable gone;
    private long timer;
    private int unanswered;

    /** @param isHeard whether an answer can be heard now. Who does not take what it is sent is not listened to, and has a time limit of its own */
    Keepalive(
            Vertx vertx,
            ViewerContext steps,
            ServerWebSocket socket,
            long everyMs,
            BooleanSupplier isHeard,
            Runnable gone) {
        this.vertx = vertx;
        this.steps = steps;
        this.socket = socket;
        this.everyMs = everyMs;
        this.isHeard = isHeard;
        this.gone = gone;
        socket.pongHandler(pong -> unanswered = 0);
        askLater();
    }

    /** Each time anew: after a standstill of the server, what has been answered meanwhile is heard before it is asked again. */
    private void askLater() {
        timer = vertx.setTimer(everyMs, steps.each(now -> beat()));
    }

    private void beat() {
        if (!isHeard.getAsBoolean()) {
            unanswered = 0;
        } else if (unanswered++ == WsLimits.UNANSWERED_PINGS) {
            gone.run();
            return;
        }
        socket.writePing(Buffer.buffer());
        askLater();
    }

    void stop() {
        vertx.cancelTimer(timer);
    }
}
