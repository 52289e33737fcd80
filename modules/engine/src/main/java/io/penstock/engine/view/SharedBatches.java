package io.penstock.engine.view;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Encoded batches of a task's frames, for viewers with the same encoding that are sent the same batches. A viewer that
 * misses a batch here encodes it itself, with the same result. May be called from any thread.
 *
 * @param <M> the encoded form of a batch, which must not be changed
 */
public interface SharedBatches<M> {

    /** The encoded batch of these frames, both ends included; its encoding may not be finished. */
    @Nullable
    Future<M> find(long firstSeq, long lastSeq);

    void put(long firstSeq, long lastSeq, Future<M> messages);

    /** For viewers that share nothing. */
    static <M> SharedBatches<M> none() {
        return new SharedBatches<>() {
            @Override
            public @Nullable Future<M> find(long firstSeq, long lastSeq) {
                return null;
            }

            @Override
            public void put(long firstSeq, long lastSeq, Future<M> messages) {}
        };
    }
}
