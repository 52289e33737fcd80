package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** A log whose pages have one frame each, and come a moment later: what is short reads like what is very long. */
public record OneAtATime(Vertx vertx, FrameLog log) implements FrameLog {

    @Override
    public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
        Promise<Page> later = Promise.promise();
        vertx.getOrCreateContext()
                .runOnContext(now -> log.read(stream, fromSeq, 1).onComplete(later));
        return later.future();
    }

    @Override
    public Future<StreamWriter> begin(StreamId stream) {
        return log.begin(stream);
    }

    @Override
    public Future<StreamWriter> open(StreamId stream) {
        return log.open(stream);
    }

    @Override
    public Future<StreamWriter> takeOver(StreamId stream) {
        return log.takeOver(stream);
    }

    @Override
    public Future<Long> nextSeq(StreamId stream) {
        return log.nextSeq(stream);
    }

    @Override
    public FrameFollower follow(StreamId stream, long fromSeq) {
        return log.follow(stream, fromSeq);
    }

    @Override
    public Future<Void> close() {
        return log.close();
    }
}
