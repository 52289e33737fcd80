package io.penstock.engine.ledger;

import io.penstock.engine.log.postgres.DatabaseAddress;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/** Owns a node's log: the journal, the database behind it, and the embedded Postgres unless an external one is used. */
public final class LogVerticle extends VerticleBase {

    private final LogSettings settings;
    private @Nullable SupervisedPostgres embedded;
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
        return ledgerSettings()
                .compose(place -> Ledger.open(vertx, place))
                .onSuccess(open -> ledger = open)
                .recover(failure -> stopAll().transform(stopAll -> Future.failedFuture(failure)));
    }

    private Future<LedgerSettings> ledgerSettings() {
        DatabaseAddress database = settings.database();
        if (database != null) {
            return Future.succeededFuture(
                    LedgerSettings.of(settings.data().resolve("journal"), database.connectOptions())
                            .withFsync(settings.fsync()));
        }
        return SupervisedPostgres.start(
                        vertx, EmbeddedPostgres.Settings.of(settings.data().resolve("postgres"), settings.install()))
                .map(started -> {
                    embedded = started;
                    return LedgerSettings.of(settings.data().resolve("journal"), started.connectOptions())
                            .withFsync(settings.fsync());
                });
    }

    @Override
    public Future<?> stop() {
        return stopAll();
    }

    private Future<Void> stopAll() {
        Ledger open = ledger;
        SupervisedPostgres kept = embedded;
        return (open == null ? Future.<Void>succeededFuture() : open.close())
                .eventually(() -> kept == null ? Future.succeededFuture() : kept.stop());
    }
}
