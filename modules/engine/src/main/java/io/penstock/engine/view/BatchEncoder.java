package io.penstock.engine.view;

import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** Encodes batches for one viewer, unless another viewer of the same batch has done so. Lives on its session's context. */
final class BatchEncoder<M> {

    /** New output is in memory, and encoding a few frames of it takes less time than the way to a worker. */
    private static final int FRAMES_ENCODED_HERE = 4;

    private final Vertx vertx;
    private final SharedBatches<M> shared;
    private final ViewSink<M> sink;

    BatchEncoder(Vertx vertx, SharedBatches<M> shared, ViewSink<M> sink) {
        this.vertx = vertx;
        this.shared = shared;
        this.sink = sink;
    }

    /** The encoded batch; may complete on any thread. */
    Future<M> encode(List<Frame> batch) {
        long first = batch.getFirst().seq();
        long last = batch.getLast().seq();
        boolean whole = last - first == batch.size() - 1;
        if (!whole) {
            // Frames were skipped, so the batch differs from that of a viewer that skips none.
            return encodeAnew(batch);
        }
        Future<M> known = shared.find(first, last);
        if (known != null) {
            return known;
        }
        Future<M> messages = encodeAnew(batch);
        shared.put(first, last, messages);
        return messages;
    }

    private Future<M> encodeAnew(List<Frame> batch) {
        if (batch.size() > FRAMES_ENCODED_HERE) {
            // History: its bytes may have to be read from a disk, and no other viewer should wait for that.
            return vertx.executeBlocking(() -> sink.encode(batch), false).map(Objects::requireNonNull);
        }
        try {
            return Future.succeededFuture(sink.encode(batch));
        } catch (IOException | RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }
}
