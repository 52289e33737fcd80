package io.penstock.server.ws;

import io.penstock.server.budget.BytesInFlight;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way to one viewer. Each message is a way through the kernel and wakes who reads it; so what is small and can wait a
 * moment goes with the output that may follow, as the answer to a key goes with its echo. All in the order in which it came. Lives on
 * the socket's context.
 */
final class SendQueue {

    /** A key takes about a third of this to its echo; and nobody sees that an answer without one comes so much later. */
    private static final long COMPANY_MICROS = 200;

    /** What is longer is not put together with others, which would be a copy. */
    private static final int SMALL_BYTES = 4096;

    private final Vertx vertx;
    private final ViewerContext steps;
    private final ServerWebSocket socket;
    private final boolean text;
    private final BytesInFlight underWay;

    /** What there was no room for. Nothing of it is made before there is, since a screen may be very long. */
    private final ArrayDeque<Iterator<Buffer>> waiting = new ArrayDeque<>();

    private Buffer held = Buffer.buffer();
    private @Nullable Timer timer;

    /**
     * @param text whether messages are text, of which those put together are a line each; else bytes
     * @param room is called when it is full no more
     */
    SendQueue(Vertx vertx, ViewerContext steps, ServerWebSocket socket, boolean text, Runnable room) {
        this.vertx = vertx;
        this.steps = steps;
        this.socket = socket;
        this.text = text;
        this.underWay = new BytesInFlight(() -> steps.soon(() -> {
            socket.resume();
            sendWaiting();
            room.run();
        }));
    }

    /** Whether so much is under way that nothing should be added, or the other side has said goodbye. */
    boolean isFull() {
        return isWaiting() || hasNoRoom();
    }

    /** Whether there is some that is not even on its way. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    private boolean hasNoRoom() {
        return socket.isClosed() || underWay.isFull();
    }

    /** All of these, which is one at least, each as soon as there is room for it. */
    void sendAll(Iterator<Buffer> messages) {
        waiting.add(messages);
        sendWaiting();
    }

    /** There may be room again. */
    private void sendWaiting() {
        while (isWaiting() && !hasNoRoom()) {
            Iterator<Buffer> first = waiting.element();
            Buffer message = first.next();
            if (!first.hasNext()) {
                waiting.remove();
            }
            add(message);
        }
    }

    /** With what comes next, or in a moment. */
    void sendSoon(Buffer message) {
        if (isWaiting()) {
            waiting.add(List.of(message).iterator());
        } else {
            add(message);
        }
    }

    private void add(Buffer message) {
        buffer(message);
        if (timer == null && held.length() > 0) {
            Timer soon = vertx.timer(COMPANY_MICROS, TimeUnit.MICROSECONDS);
            timer = soon;
            soon.onSuccess(steps.each(now -> {
                timer = null;
                flush();
            }));
        }
    }

    private void buffer(Buffer message) {
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
        waiting.clear();
    }

    private void disarm() {
        Timer armed = timer;
        if (armed != null) {
            timer = null;
            armed.cancel();
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
        underWay.add(
                message.length(),
                text ? socket.writeTextMessage(message.toString()) : socket.writeBinaryMessage(message));
        if (underWay.isFull()) {
            // Who does not listen is not heard either, so that answers do not pile up.
            socket.pause();
        }
    }
}
