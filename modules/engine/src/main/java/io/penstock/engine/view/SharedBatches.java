package io.penstock.engine.view;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * What batches of a task's frames have become in one language, for those who are shown the same ones. What is not here, each makes
 * anew, and it is the same whoever makes it. Any thread.
 *
 * @param <M> not to be written to
 */
public interface SharedBatches<M> {

    /** Of the frames from one to another, both included; it may still be under way. */
    @Nullable
    Future<M> find(long firstSeq, long lastSeq);

    void put(long firstSeq, long lastSeq, Future<M> messages);

    /** For who shares nothing. */
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
