package io.penstock.engine.log;

import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** That Postgres is not being reached: why, since when it is told, and when it is tried again. On the drain's context but for {@link #why}. */
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

    /** Null while it is reached. */
    @Nullable
    String why() {
        return why;
    }

    /** Tries again in a while, which grows with every try that leads to nothing. */
    void goesOn(String reason, Runnable tryAgain) {
        if (why == null) {
            log.warn("Postgres is away, the journal keeps what comes: {}", reason);
        }
        why = reason;
        vertx.setTimer(retryMs, t -> tryAgain.run());
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }

    /** It is reached, which need not mean that it does what it is asked. */
    void isOver(long undrainedBytes) {
        if (why != null) {
            log.info("Postgres is back; {} bytes of the journal wait for it", undrainedBytes);
            why = null;
        }
    }

    /** It has done what it was asked. */
    void isForgotten() {
        retryMs = FIRST_RETRY_MS;
    }

    /** For good. */
    void neverEnds(String reason) {
        why = reason;
    }
}
