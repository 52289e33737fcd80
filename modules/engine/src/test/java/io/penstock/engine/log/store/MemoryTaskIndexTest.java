package io.penstock.engine.log.store;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.TaskIndexContract;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;

class MemoryTaskIndexTest extends TaskIndexContract {

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);

    @Override
    protected FrameLog log() {
        return log;
    }

    @Override
    protected TaskIndex index() {
        return log;
    }

    @AfterAll
    void closeAll() {
        await(vertx.close());
    }
}
