package io.penstock.engine.log.drain;

import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of an outage of Postgres: its reason and the retry backoff. Used on the drain's context, except {@link
 * #why}.
 */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);

    private static final long FIRST_RETRY_MS = 20;
    private static final long LAST_RETRY_MS = 1000;

    private final Vertx vertx;
    private long retryMs = FIRST_RETRY_MS;
    private volatile @Nullable String why;

    Outage(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Null while Postgres is reachable. */
    @Nullable
    String why() {
        return why;
    }

    /** Retries after a delay, which doubles with every failure. */
    void retryLater(String reason, Runnable retry) {
        if (why == null) {
            log.warn("Postgres is unavailable; the journal keeps new records: {}", reason);
        }
        why = reason;
        vertx.setTimer(retryMs, t -> retry.run());
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }

    /** Postgres is reachable again, although the next statement may still fail. */
    void recovered(long undrainedBytes) {
        if (why != null) {
            log.info("Postgres is back; {} bytes of the journal are to be drained", undrainedBytes);
            why = null;
        }
    }

    /** Postgres has executed a statement. */
    void resetBackoff() {
        retryMs = FIRST_RETRY_MS;
    }

    /** There will be no more retries. */
    void giveUp(String reason) {
        why = reason;
    }
}
