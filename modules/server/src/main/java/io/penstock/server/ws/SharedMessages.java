package io.penstock.server.ws;

import io.penstock.engine.view.InlineText;
import io.penstock.engine.view.SharedBatches;
import io.penstock.server.ws.wire.Subprotocol;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages sent to viewers, of all tasks that have several viewers. Output is read and encoded once: viewers at
 * the same place are sent the same messages. May be called from any thread.
 */
final class SharedMessages {

    /** Viewers that are sent the same messages. */
    private record Audience(String taskId, Subprotocol subprotocol, InlineText text) {}

    private record BatchKey(Audience audience, long firstSeq, long lastSeq) {}

    private static final class CachedMessages {
        private final Future<List<Buffer>> messages;
        private int bytes;

        private CachedMessages(Future<List<Buffer>> messages) {
            this.messages = messages;
        }
    }

    /** Oldest first. */
    private final Map<BatchKey, CachedMessages> newest = new LinkedHashMap<>();

    private final Map<Audience, Integer> viewers = new HashMap<>();
    private final long maxBytes;
    private long bytes;

    /** @param maxBytes the most bytes of messages in memory, of all tasks */
    SharedMessages(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** One viewer's access to the messages. */
    final class Handle implements SharedBatches<List<Buffer>>, AutoCloseable {
        private final Audience audience;

        private Handle(Audience audience) {
            this.audience = audience;
        }

        @Override
        public @Nullable Future<List<Buffer>> find(long firstSeq, long lastSeq) {
            synchronized (SharedMessages.this) {
                CachedMessages found = newest.get(new BatchKey(audience, firstSeq, lastSeq));
                return found == null ? null : found.messages;
            }
        }

        @Override
        public void put(long firstSeq, long lastSeq, Future<List<Buffer>> messages) {
            SharedMessages.this.put(new BatchKey(audience, firstSeq, lastSeq), new CachedMessages(messages));
        }

        /** Must be called once. */
        @Override
        public void close() {
            detach(audience);
        }
    }

    /** @param text makes a difference in JSON only */
    Handle join(String taskId, Subprotocol subprotocol, InlineText text) {
        var audience = new Audience(taskId, subprotocol, subprotocol == Subprotocol.JSON ? text : InlineText.NONE);
        synchronized (this) {
            viewers.merge(audience, 1, Integer::sum);
        }
        return new Handle(audience);
    }

    private void put(BatchKey key, CachedMessages cached) {
        synchronized (this) {
            // Two viewers may have encoded the same batch at the same time; one result is enough.
            if (viewers.getOrDefault(key.audience(), 0) < 2 || newest.putIfAbsent(key, cached) != null) {
                return;
            }
        }
        cached.messages.onComplete(done -> weigh(key, cached, done.result()));
    }

    /** A failed encoding is not kept: the next viewer tries again. */
    private synchronized void weigh(BatchKey key, CachedMessages cached, @Nullable List<Buffer> messages) {
        if (messages == null) {
            newest.remove(key, cached);
        } else if (newest.get(key) == cached) {
            cached.bytes = WsLimits.SHARED_BATCH_BYTES
                    + messages.stream().mapToInt(Buffer::length).sum();
            bytes += cached.bytes;
            for (Iterator<CachedMessages> oldest = newest.values().iterator(); bytes > maxBytes && oldest.hasNext(); ) {
                bytes -= oldest.next().bytes;
                oldest.remove();
            }
        }
    }

    private synchronized void detach(Audience audience) {
        if (viewers.merge(audience, -1, Integer::sum) == 0) {
            viewers.remove(audience);
            newest.entrySet().removeIf(entry -> {
                boolean unused = entry.getKey().audience().equals(audience);
                bytes -= unused ? entry.getValue().bytes : 0;
                return unused;
            });
        }
    }

    /** The bytes of messages in memory. */
    synchronized long bytes() {
        return bytes;
    }
}
