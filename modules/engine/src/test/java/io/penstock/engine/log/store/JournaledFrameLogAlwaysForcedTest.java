package io.penstock.engine.log.store;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.FrameLogContract;
import io.penstock.engine.log.journal.Fsync;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;

class JournaledFrameLogAlwaysForcedTest extends FrameLogContract {

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Ledger ledger = folder.open(vertx, new Fsync.Always());

    @Override
    protected FrameLog log() {
        return ledger.frames();
    }

    @Override
    protected Vertx vertx() {
        return vertx;
    }

    @AfterAll
    void closeAll() {
        await(ledger.close());
        await(vertx.close());
        folder.close();
    }
}
