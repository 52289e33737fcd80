package io.penstock.engine.log;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameFollowerTest {

    private static final StreamId STREAM = StreamId.task("followed");
    private static final long MANY = 100_000;

    private final Vertx vertx = Vertx.vertx();

    /** Pages of one frame each, available at once. */
    private static final class ShortPages implements FrameFollower.Source {
        @Override
        public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
            return Future.succeededFuture(
                    fromSeq == MANY
                            ? new Page(List.of(), fromSeq)
                            : new Page(List.of(new Frame(STREAM, fromSeq, 0, Bodies.notice(fromSeq))), fromSeq + 1));
        }

        @Override
        public void watch(StreamId stream, FrameFollower follower) {}

        @Override
        public void unwatch(StreamId stream, FrameFollower follower) {}

        @Override
        public boolean isClosed() {
            return false;
        }
    }

    private final FrameFollower follower = new FrameFollower(new ShortPages(), vertx.getOrCreateContext(), STREAM, 0);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void followerReadsAnyNumberOfReadyPages() throws Exception {
        var last = new CompletableFuture<Long>();
        follower.exceptionHandler(last::completeExceptionally);
        follower.handler(frame -> {
            if (frame.seq() == MANY - 1) {
                last.complete(frame.seq());
            }
        });
        assertEquals(MANY - 1, last.get(30, TimeUnit.SECONDS));
    }

    @Test
    void followerReportsAnErrorOfItsHandler() throws Exception {
        var told = new CompletableFuture<Throwable>();
        var unforeseen = new AssertionError("unforeseen");
        follower.exceptionHandler(told::complete);
        follower.handler(frame -> {
            throw unforeseen;
        });
        assertEquals(unforeseen, told.get(30, TimeUnit.SECONDS));
    }
}
