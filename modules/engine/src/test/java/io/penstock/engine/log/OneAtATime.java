package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** A log whose pages have one frame each and arrive with a delay: short streams are then read like very long ones. */
public final class OneAtATime extends ReadOtherwise {

    private final Vertx vertx;

    public OneAtATime(Vertx vertx, FrameLog log) {
        super(log);
        this.vertx = vertx;
    }

    @Override
    public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
        Promise<Page> later = Promise.promise();
        vertx.getOrCreateContext()
                .runOnContext(now -> log.read(stream, fromSeq, 1).onComplete(later));
        return later.future();
    }
}
