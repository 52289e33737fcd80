package io.penstock.engine.view;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.OneAtATime;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Channel;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TailStartTest {

    private static final StreamId STREAM = StreamId.task("long");

    /** A notice, then deltas of ten bytes. */
    private static final int FRAMES = 20_000;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void startIsFoundHoweverFewFramesAPageHas() {
        FrameLog log = new OneAtATime(vertx, written());
        assertEquals(FRAMES, from(log, 0));
        assertEquals(FRAMES - 1, from(log, 10));
        assertEquals(FRAMES - 2, from(log, 11));
        assertEquals(FRAMES - 1500, from(log, 15_000));
        assertEquals(1, from(log, 10L * (FRAMES - 1)));
        assertEquals(0, from(log, Long.MAX_VALUE));
    }

    private static long from(FrameLog log, long bytes) {
        return await(TailStart.from(log, STREAM, FRAMES, bytes));
    }

    private FrameLog written() {
        var log = new MemoryFrameLog(vertx);
        StreamWriter writer = await(log.open(STREAM));
        writer.append(0, new TaskNotice("begin", "It begins"));
        for (int seq = 1; seq < FRAMES; seq++) {
            writer.append(seq, new ToolTaskOutputDelta(Channel.PTY, 10L * (seq - 1), 10, 10L * seq));
        }
        return log;
    }
}
