package io.penstock.engine.ledger;

import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded Postgres, restarted whenever it dies unexpectedly. The ledger tolerates its absence meanwhile. */
final class SupervisedPostgres {

    private static final Logger log = LoggerFactory.getLogger(SupervisedPostgres.class);

    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 10_000;

    private final Vertx vertx;
    private EmbeddedPostgres postgres;
    private boolean stopping;

    private SupervisedPostgres(Vertx vertx, EmbeddedPostgres postgres) {
        this.vertx = vertx;
        this.postgres = postgres;
        watch(postgres);
    }

    /** Blocks until it is ready. */
    static SupervisedPostgres start(Vertx vertx, EmbeddedPostgres.Settings settings) throws PostgresUnavailable {
        return new SupervisedPostgres(vertx, EmbeddedPostgres.start(settings));
    }

    synchronized PgConnectOptions connectOptions() {
        return postgres.connectOptions();
    }

    private void watch(EmbeddedPostgres watched) {
        watched.exited().thenAccept(code -> {
            if (!isStopping()) {
                log.warn("The embedded Postgres ended with code {}; restarting it", code);
                startAgain(FIRST_PAUSE_MS);
            }
        });
    }

    private void startAgain(long pauseMs) {
        vertx.timer(pauseMs)
                .compose(elapsed -> vertx.executeBlocking(() -> {
                    replace();
                    return null;
                }))
                .onFailure(e -> {
                    log.error("The embedded Postgres does not start: {}", e.getMessage());
                    if (!isStopping()) {
                        startAgain(Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
                    }
                });
    }

    private synchronized void replace() throws PostgresUnavailable {
        if (!stopping) {
            postgres = postgres.startAgain();
            watch(postgres);
        }
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    Future<Void> stop() {
        return vertx.executeBlocking(() -> {
                    synchronized (this) {
                        stopping = true;
                        postgres.stop();
                    }
                    return null;
                })
                .mapEmpty();
    }
}
