package io.penstock.engine.log.store;

import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.testbed.Await.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.TaskIndexContract;
import io.penstock.engine.log.TaskQuery;
import io.penstock.frames.FailureCode;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DrainedIndexTest extends TaskIndexContract {

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Ledger ledger = folder.open(vertx);

    @Override
    protected FrameLog log() {
        return ledger.frames();
    }

    @Override
    protected TaskIndex index() {
        return ledger.tasks();
    }

    @Test
    void closedLedgerRefusesToListTasks() {
        try (var other = new LedgerFolder()) {
            Ledger closed = other.open(vertx);
            await(closed.close());
            assertFails(FailureCode.LOG_UNAVAILABLE, closed.tasks().list(TaskQuery.NEWEST));
        }
    }

    @AfterAll
    void closeAll() {
        await(ledger.close());
        await(vertx.close());
        folder.close();
    }
}
