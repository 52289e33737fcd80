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
 * The messages to one viewer, in order. Each WebSocket message costs system calls and wakes its reader, so small messages
 * wait a moment for others: the answer to a key is sent with its echo. Lives on the socket's context.
 */
final class SendQueue {

    /** An echo comes within a third of this after its key. An answer without an echo is not noticeably later. */
    private static final long GATHER_MICROS = 200;

    /** Longer messages are sent alone, since joining them would copy them. */
    private static final int SMALL_BYTES = 4096;

    private final Vertx vertx;
    private final ViewerContext context;
    private final ServerWebSocket socket;
    private final boolean text;
    private final BytesInFlight inFlight;

    /** Messages without room. They are encoded only when there is room, since a screen may be very long. */
    private final ArrayDeque<Iterator<Buffer>> waiting = new ArrayDeque<>();

    /** Small messages that wait for others. */
    private Buffer gathered = Buffer.buffer();

    private @Nullable Timer timer;

    /**
     * @param text whether messages are text, and joined by line breaks; otherwise they are bytes
     * @param drained called when the queue is no longer full
     */
    SendQueue(Vertx vertx, ViewerContext context, ServerWebSocket socket, boolean text, Runnable drained) {
        this.vertx = vertx;
        this.context = context;
        this.socket = socket;
        this.text = text;
        this.inFlight = new BytesInFlight(() -> context.soon(() -> {
            socket.resume();
            sendWaiting();
            drained.run();
        }));
    }

    /** Whether nothing should be added, since too much is in flight or the socket is closed. */
    boolean isFull() {
        return isWaiting() || hasNoRoom();
    }

    /** Whether there are messages that have not been written to the socket. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    private boolean hasNoRoom() {
        return socket.isClosed() || inFlight.isFull();
    }

    /** Sends all of these, at least one, each as soon as there is room for it. */
    void sendAll(Iterator<Buffer> messages) {
        waiting.add(messages);
        sendWaiting();
    }

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

    /** Sends a message with the next one, or in a moment. */
    void sendSoon(Buffer message) {
        if (isWaiting()) {
            waiting.add(List.of(message).iterator());
        } else {
            add(message);
        }
    }

    private void add(Buffer message) {
        gather(message);
        if (timer == null && gathered.length() > 0) {
            Timer soon = vertx.timer(GATHER_MICROS, TimeUnit.MICROSECONDS);
            timer = soon;
            soon.onSuccess(context.each(now -> {
                timer = null;
                flush();
            }));
        }
    }

    private void gather(Buffer message) {
        int length = message.length();
        if (gathered.length() + 1 + length > SMALL_BYTES) {
            flush();
        }
        if (length > SMALL_BYTES) {
            send(message);
        } else if (length > 0) {
            if (text && gathered.length() > 0) {
                gathered.appendByte((byte) '\n');
            }
            gathered.appendBuffer(message);
        }
    }

    /** Discards what has not been written. */
    void stop() {
        cancelTimer();
        gathered = Buffer.buffer();
        waiting.clear();
    }

    private void cancelTimer() {
        Timer pending = timer;
        if (pending != null) {
            timer = null;
            pending.cancel();
        }
    }

    /** Writes the gathered messages now. */
    void flush() {
        cancelTimer();
        if (gathered.length() > 0) {
            Buffer message = gathered;
            gathered = Buffer.buffer();
            send(message);
        }
    }

    private void send(Buffer message) {
        if (socket.isClosed()) {
            return;
        }
        inFlight.add(
                message.length(),
                text ? socket.writeTextMessage(message.toString()) : socket.writeBinaryMessage(message));
        if (inFlight.isFull()) {
            // Stop reading from a client whose queue is full, so that replies cannot pile up.
            socket.pause();
        }
    }
}
