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
 * The newest messages that viewers were sent, of all tasks that have several: whoever comes to the same place is sent the same ones,
 * and what a task writes is read and encoded once. Any thread.
 */
final class SharedMessages {

    /** Those who are sent the same. */
    private record TaskMessages(String taskId, Subprotocol language, InlineText text) {}

    private record BatchKey(TaskMessages crowd, long firstSeq, long lastSeq) {}

    private static final class CachedMessages {
        private final Future<List<Buffer>> messages;
        private int bytes;

        private CachedMessages(Future<List<Buffer>> messages) {
            this.messages = messages;
        }
    }

    /** In the order in which they were kept. */
    private final Map<BatchKey, CachedMessages> newest = new LinkedHashMap<>();

    private final Map<TaskMessages, Integer> viewers = new HashMap<>();
    private final long mostBytes;
    private long bytes;

    /** @param mostBytes of messages, of all tasks together */
    SharedMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** One viewer's way to them, until it is closed. */
    final class Handle implements SharedBatches<List<Buffer>>, AutoCloseable {
        private final TaskMessages crowd;

        private Handle(TaskMessages crowd) {
            this.crowd = crowd;
        }

        @Override
        public @Nullable Future<List<Buffer>> find(long firstSeq, long lastSeq) {
            synchronized (SharedMessages.this) {
                CachedMessages found = newest.get(new BatchKey(crowd, firstSeq, lastSeq));
                return found == null ? null : found.messages;
            }
        }

        @Override
        public void put(long firstSeq, long lastSeq, Future<List<Buffer>> messages) {
            SharedMessages.this.put(new BatchKey(crowd, firstSeq, lastSeq), new CachedMessages(messages));
        }

        /** Once. */
        @Override
        public void close() {
            detach(crowd);
        }
    }

    /** @param text how much of it, which makes a difference in JSON only */
    Handle join(String taskId, Subprotocol language, InlineText text) {
        var crowd = new TaskMessages(taskId, language, language == Subprotocol.JSON ? text : InlineText.NONE);
        synchronized (this) {
            viewers.merge(crowd, 1, Integer::sum);
        }
        return new Handle(crowd);
    }

    private void put(BatchKey place, CachedMessages kept) {
        synchronized (this) {
            // Two may have made them at the same time; one is enough.
            if (viewers.getOrDefault(place.crowd(), 0) < 2 || newest.putIfAbsent(place, kept) != null) {
                return;
            }
        }
        kept.messages.onComplete(made -> weigh(place, kept, made.result()));
    }

    /** What could not be made is not kept: the next one may have more luck, or fails by itself. */
    private synchronized void weigh(BatchKey place, CachedMessages kept, @Nullable List<Buffer> made) {
        if (made == null) {
            newest.remove(place, kept);
        } else if (newest.get(place) == kept) {
            kept.bytes = WsLimits.SHARED_BATCH_BYTES
                    + made.stream().mapToInt(Buffer::length).sum();
            bytes += kept.bytes;
            for (Iterator<CachedMessages> oldest = newest.values().iterator();
                    bytes > mostBytes && oldest.hasNext(); ) {
                bytes -= oldest.next().bytes;
                oldest.remove();
            }
        }
    }

    private synchronized void detach(TaskMessages crowd) {
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
