package io.penstock.engine.log.once;

import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops the days whose idempotency keys all are too old to count: at once, and every hour. */
public final class KeyRetention {

    private static final Logger log = LoggerFactory.getLogger(KeyRetention.class);

    private static final long EVERY_MS = TimeUnit.HOURS.toMillis(1);

    private final Vertx vertx;
    private final Database database;
    private final LongSupplier clockMs;
    private final long timer;
    private volatile boolean stopped;

    public KeyRetention(Vertx vertx, Database database, LongSupplier clockMs) {
        this.vertx = vertx;
        this.database = database;
        this.clockMs = clockMs;
        this.timer = vertx.setPeriodic(
                EVERY_MS, t -> Thread.ofVirtual().name("key-retention").start(this::dropExpired));
    }

    /** Blocks. Never fails: a day that could not be dropped now is dropped the next time. */
    public List<Integer> dropExpired() {
        try {
            return Partitions.dropIdempotencyBefore(database.pool(), Idempotency.firstDay(clockMs.getAsLong()));
        } catch (Exception e) {
            if (!stopped) {
                log.warn("Old idempotency keys are dropped later: {}", e.getMessage());
            }
            return List.of();
        }
    }

    public void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }
}
