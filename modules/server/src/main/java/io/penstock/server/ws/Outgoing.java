package io.penstock.server.ws;

import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way to one viewer. Each message is a way through the kernel and wakes who reads it; so what is small and can wait a
 * moment goes with the output that may follow, as the answer to a key goes with its echo. All in the order in which it came. Lives on
 * the socket's context.
 */
final class Outgoing {

    /** A key takes about a third of this to its echo; and nobody sees that an answer without one comes so much later. */
    private static final long COMPANY_MICROS = 200;

    /** What is longer is not put together with others, which would be a copy. */
    private static final int SMALL_BYTES = 4096;

    private final Vertx vertx;
    private final Steps steps;
    private final ServerWebSocket socket;
    private final boolean text;
    private Buffer held = Buffer.buffer();
    private @Nullable Timer waiting;

    /** @param text whether messages are text, of which those put together are a line each; else bytes */
    Outgoing(Vertx vertx, Steps steps, ServerWebSocket socket, boolean text) {
        this.vertx = vertx;
        this.steps = steps;
        this.socket = socket;
        this.text = text;
    }

    /** Whether so much is under way that nothing should be added, or the other side has said goodbye. */
    boolean isFull() {
        return socket.isClosed() || socket.writeQueueFull();
    }

    /** With what comes next, or in a moment. */
    void soon(Buffer message) {
        hold(message);
        if (waiting == null && held.length() > 0) {
            Timer timer = vertx.timer(COMPANY_MICROS, TimeUnit.MICROSECONDS);
            waiting = timer;
            timer.onSuccess(steps.each(now -> {
                waiting = null;
                flush();
            }));
        }
    }

    private void hold(Buffer message) {
        int length = message.length();
        if (held.length() + 1 + length > SMALL_BYTES) {
            flush();
        }
        if (length > SMALL_BYTES) {
            send(message);
        } else if (length > 0) {
            if (text && held.length() > 0) {
                held.appendByte((byte) '\n');
            }
            held.appendBuffer(message);
        }
    }

    /** Nothing is sent any more. */
    void stop() {
        disarm();
        held = Buffer.buffer();
    }

    private void disarm() {
        Timer timer = waiting;
        if (timer != null) {
            waiting = null;
            timer.cancel();
        }
    }

    /** All that waits, at once. */
    void flush() {
        disarm();
        if (held.length() > 0) {
            Buffer message = held;
            held = Buffer.buffer();
            send(message);
        }
    }

    private void send(Buffer message) {
        if (socket.isClosed()) {
            return;
        }
        if (text) {
            socket.writeTextMessage(message.toString());
        } else {
            socket.writeBinaryMessage(message);
        }
        if (socket.writeQueueFull()) {
            // Who does not listen is not heard either, so that answers do not pile up.
            socket.pause();
        }
    }
}
