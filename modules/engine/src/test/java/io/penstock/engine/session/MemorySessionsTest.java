package io.penstock.engine.session;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.SessionIndex;
import io.penstock.engine.log.store.MemoryFrameLog;
import org.junit.jupiter.api.AfterEach;

class MemorySessionsTest extends SessionIndexContract {

    private final MemoryFrameLog log = new MemoryFrameLog(vertx);

    @Override
    protected FrameLog log() {
        return log;
    }

    @Override
    protected SessionIndex index() {
        return log;
    }

    @AfterEach
    void closeAll() {
        vertx.close().await();
    }
}
