package io.penstock.engine.log;

import static io.penstock.engine.Await.await;

import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;

class MemoryFrameLogTest extends FrameLogContract {

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);

    @Override
    FrameLog log() {
        return log;
    }

    @Override
    Vertx vertx() {
        return vertx;
    }

    @AfterAll
    void closeAll() {
        await(log.close());
        await(vertx.close());
    }
}
