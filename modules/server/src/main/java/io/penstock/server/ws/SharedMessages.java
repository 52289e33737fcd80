package io.penstock.server.ws;

import io.penstock.engine.pump.SharedBatches;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages that viewers were sent, of all tasks that have several: whoever comes to the same place is sent the same ones,
 * and what a task writes is read and encoded once. Any thread.
 */
final class SharedMessages {

    /** Those who are sent the same. */
    private record Crowd(String taskId, Subprotocol language) {}

    private record Place(Crowd crowd, long firstSeq, long lastSeq) {}

    private static final class Kept {
        private final Future<List<Buffer>> messages;
        private int bytes;

        private Kept(Future<List<Buffer>> messages) {
            this.messages = messages;
        }
    }

    /** In the order in which they were kept. */
    private final Map<Place, Kept> newest = new LinkedHashMap<>();

    private final Map<Crowd, Integer> viewers = new HashMap<>();
    private final long mostBytes;
    private long bytes;

    /** @param mostBytes of messages, of all tasks together */
    SharedMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** One viewer's way to them, until it is closed. */
    final class Shelf implements SharedBatches<List<Buffer>>, AutoCloseable {
        private final Crowd crowd;

        private Shelf(Crowd crowd) {
            this.crowd = crowd;
        }

        @Override
        public @Nullable Future<List<Buffer>> find(long firstSeq, long lastSeq) {
            synchronized (SharedMessages.this) {
                Kept found = newest.get(new Place(crowd, firstSeq, lastSeq));
                return found == null ? null : found.messages;
            }
        }

        @Override
        public void keep(long firstSeq, long lastSeq, Future<List<Buffer>> messages) {
            SharedMessages.this.keep(new Place(crowd, firstSeq, lastSeq), new Kept(messages));
        }

        /** Once. */
        @Override
        public void close() {
            leave(crowd);
        }
    }

    Shelf join(String taskId, Subprotocol language) {
        var crowd = new Crowd(taskId, language);
        synchronized (this) {
            viewers.merge(crowd, 1, Integer::sum);
        }
        return new Shelf(crowd);
    }

    private void keep(Place place, Kept kept) {
        synchronized (this) {
            // Two may have made them at the same time; one is enough.
            if (viewers.getOrDefault(place.crowd(), 0) < 2 || newest.putIfAbsent(place, kept) != null) {
                return;
            }
        }
        kept.messages.onComplete(made -> weigh(place, kept, made.result()));
    }

    /** What could not be made is not kept: the next one may have more luck, or fails by itself. */
    private synchronized void weigh(Place place, Kept kept, @Nullable List<Buffer> made) {
        if (made == null) {
            newest.remove(place, kept);
        } else if (newest.get(place) == kept) {
            kept.bytes = WsLimits.SHARED_BATCH_BYTES
                    + made.stream().mapToInt(Buffer::length).sum();
            bytes += kept.bytes;
            for (Iterator<Kept> oldest = newest.values().iterator(); bytes > mostBytes && oldest.hasNext(); ) {
                bytes -= oldest.next().bytes;
                oldest.remove();
            }
        }
    }

    private synchronized void leave(Crowd crowd) {
        if (viewers.merge(crowd, -1, Integer::sum) == 0) {
            viewers.remove(crowd);
            newest.entrySet().removeIf(entry -> {
                boolean theirs = entry.getKey().crowd().equals(crowd);
                bytes -= theirs ? entry.getValue().bytes : 0;
                return theirs;
            });
        }
    }

    /** That are kept now. */
    synchronized long bytes() {
        return bytes;
    }
}
