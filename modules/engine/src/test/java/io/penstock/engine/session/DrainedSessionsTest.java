package io.penstock.engine.session;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.SessionIndex;
import org.junit.jupiter.api.AfterEach;

class DrainedSessionsTest extends SessionIndexContract {

    private final LedgerFolder folder = new LedgerFolder();
    private final Ledger ledger = folder.open(vertx);

    @Override
    protected FrameLog log() {
        return ledger.frames();
    }

    @Override
    protected SessionIndex index() {
        return ledger.sessions();
    }

    @AfterEach
    void closeAll() {
        ledger.close().await();
        vertx.close().await();
        folder.close();
    }
}
