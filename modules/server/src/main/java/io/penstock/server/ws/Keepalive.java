package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.function.BooleanSupplier;

/**
 * Pings a viewer and detects when it no longer answers. A sleeping laptop or a changed network closes no connection, and the
 * kernel would wait a quarter of an hour. Lives on the socket's context.
 */
final class Keepalive {

    private final Vertx vertx;
    private final ViewerContext context;
    private final ServerWebSocket socket;
    private final long everyMs;
    private final BooleanSupplier canAnswer;
    private final Runnable dead;
    private long timer;
    private int unanswered;

    /**
     * @param canAnswer whether the socket is read now. A viewer whose queue is full is not read, and has a time limit of its
     *     own
     * @param dead called when too many pings were not answered
     */
    Keepalive(
            Vertx vertx,
            ViewerContext context,
            ServerWebSocket socket,
            long everyMs,
            BooleanSupplier canAnswer,
            Runnable dead) {
        this.vertx = vertx;
        this.context = context;
        this.socket = socket;
        this.everyMs = everyMs;
        this.canAnswer = canAnswer;
        this.dead = dead;
        socket.pongHandler(pong -> unanswered = 0);
        scheduleBeat();
    }

    /** Not periodic: after a standstill of the server, answers that arrived meanwhile are read before the next ping. */
    private void scheduleBeat() {
        timer = vertx.setTimer(everyMs, context.each(now -> beat()));
    }

    /** Sends the next ping, or gives up. Called by the timer. */
    void beat() {
        if (!canAnswer.getAsBoolean()) {
            unanswered = 0;
        } else if (unanswered++ == WsLimits.UNANSWERED_PINGS) {
            dead.run();
            return;
        }
        socket.writePing(Buffer.buffer());
        scheduleBeat();
    }

    void stop() {
        vertx.cancelTimer(timer);
    }
}
