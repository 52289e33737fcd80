package io.penstock.engine.log;

import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/** A log whose pages come in another way, and which is the same in all else. */
public abstract class ReadOtherwise implements FrameLog {

    protected final FrameLog log;

    protected ReadOtherwise(FrameLog log) {
        this.log = log;
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
