package io.penstock.engine.log.store;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.FrameLogContract;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;

class MemoryFrameLogTest extends FrameLogContract {

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);

    @Override
    protected FrameLog log() {
        return log;
    }

    @Override
    protected Vertx vertx() {
        return vertx;
    }

    @AfterAll
    void closeAll() {
        await(log.close());
        await(vertx.close());
    }
}
