package io.penstock.engine.ledger;

import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.postgres.DatabaseAddress;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.pgclient.PgConnectOptions;
import org.jspecify.annotations.Nullable;

/** Owns a node's log: the journal, the database behind it, and the embedded Postgres unless an external one is used. */
public final class LogVerticle extends VerticleBase {

    private final LogSettings settings;
    private volatile @Nullable SupervisedPostgres embedded;
    private @Nullable Ledger ledger;

    public LogVerticle(LogSettings settings) {
        this.settings = settings;
    }

    /** The log, once this verticle is deployed. */
    public Ledger ledger() {
        Ledger open = ledger;
        if (open == null) {
            throw new Failure(FailureCode.LOG_UNAVAILABLE, "The log is not open yet");
        }
        return open;
    }

    @Override
    public Future<?> start() {
        return BlockingSteps.run(this::connectOptions)
                .compose(database -> Ledger.open(
                        vertx,
                        LedgerSettings.of(settings.data().resolve("journal"), database)
                                .withFsync(settings.fsync())))
                .onSuccess(open -> ledger = open)
                .recover(failure -> stop().transform(stopped -> Future.failedFuture(failure)));
    }

    private PgConnectOptions connectOptions() throws PostgresUnavailable {
        DatabaseAddress database = settings.database();
        if (database != null) {
            return database.connectOptions();
        }
        SupervisedPostgres started = SupervisedPostgres.start(
                vertx, EmbeddedPostgres.Settings.of(settings.data().resolve("postgres"), settings.install()));
        embedded = started;
        return started.connectOptions();
    }

    @Override
    public Future<?> stop() {
        Ledger open = ledger;
        SupervisedPostgres kept = embedded;
        return (open == null ? Future.<Void>succeededFuture() : open.close())
                .eventually(() -> kept == null ? Future.succeededFuture() : kept.stop());
    }
}
