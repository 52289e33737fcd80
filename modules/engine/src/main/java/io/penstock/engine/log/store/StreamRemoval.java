package io.penstock.engine.log.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;

/**
 * Keeps writers away from old streams while retention removes some of them: a writer of a stream that is being removed would write
 * frames that no stream has. Guarded by the log's lock.
 */
final class StreamRemoval {

    private long below;
    private Set<Long> written = Set.of();
    private long finished;
    private Promise<Void> end = Promise.promise();

    /** @param written numbers of streams that have writers already: they stay */
    void begin(long belowStreamNo, Set<Long> written) {
        if (below != 0) {
            throw new IllegalStateException("another removal of streams is under way");
        }
        this.below = belowStreamNo;
        this.written = Set.copyOf(written);
        this.end = Promise.promise();
    }

    /** Returns what its waiters wait for; completed outside of the lock. */
    Promise<Void> end() {
        below = 0;
        written = Set.of();
        finished++;
        return end;
    }

    /** Whether the stream may be gone soon. */
    boolean concerns(long streamNo) {
        return streamNo < below && !written.contains(streamNo);
    }

    /** How many there were: an older answer of the database may name a stream that is gone. */
    long finished() {
        return finished;
    }

    /** Completes with the removal that is under way. */
    Future<Void> ended() {
        return below == 0 ? Future.succeededFuture() : end.future();
    }
}
