package io.penstock.engine.log;

import static io.penstock.engine.Await.await;

import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;

class MemoryTaskIndexTest extends TaskIndexContract {

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);

    @Override
    FrameLog log() {
        return log;
    }

    @Override
    TaskIndex index() {
        return log;
    }

    @AfterAll
    void closeAll() {
        await(vertx.close());
    }
}
