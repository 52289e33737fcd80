package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/** A log that delivers its pages in another way and otherwise delegates. */
public abstract class ReadOtherwise implements FrameLog {

    public final FrameLog log;

    public ReadOtherwise(FrameLog log) {
        this.log = log;
    }

    @Override
    public Future<StreamWriter> create(StreamId stream) {
        return log.create(stream);
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
