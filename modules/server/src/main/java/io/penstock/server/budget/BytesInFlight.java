package io.penstock.server.budget;

import io.vertx.core.Future;

/**
 * Counts bytes that were written to a connection but not yet accepted by its socket. Vert.x considers a connection's
 * queue full by its number of messages, sixteen, which may be a megabyte. Lives on the connection's context.
 */
public final class BytesInFlight {

    /** A message may be added below this size, which is enough to keep a fast connection busy. */
    private static final int MOST_BYTES = 64 * 1024;

    private final Runnable room;
    private long bytes;

    /** @param room called when there is room again, even from within {@link #add} */
    public BytesInFlight(Runnable room) {
        this.room = room;
    }

    public boolean isFull() {
        return bytes >= MOST_BYTES;
    }

    /** @param taken completes when the socket has accepted the bytes, or never will */
    public void add(int length, Future<Void> taken) {
        bytes += length;
        taken.onComplete(over -> {
            boolean wasFull = isFull();
            bytes -= length;
            if (wasFull && !isFull() && over.succeeded()) {
                room.run();
            }
        });
    }
}
