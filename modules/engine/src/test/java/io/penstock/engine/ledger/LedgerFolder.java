package io.penstock.engine.ledger;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.TestDatabase;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/** A journal folder and a schema for one test, in which ledgers are opened one after the other. */
public final class LedgerFolder implements AutoCloseable {

    public final Path folder = TestDatabase.directory();
    public final String schema = TestDatabase.freshSchema();

    public LedgerSettings settings() {
        return LedgerSettings.of(
                        folder.resolve("journal"), TestDatabase.postgres().connectOptions())
                .withSchema(schema)
                .withJournalSizes(1 << 20, 64 << 20);
    }

    public Ledger open(Vertx vertx) {
        return await(Ledger.open(vertx, settings()));
    }

    public Ledger open(Vertx vertx, Fsync fsync) {
        return await(Ledger.open(vertx, settings().withFsync(fsync)));
    }

    @Override
    public void close() {
        TestDatabase.delete(folder);
    }
}
