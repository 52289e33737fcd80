package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Reads a short range of a stream whole: a page may have fewer frames than it could, where they move from the journal to Postgres. */
public final class FrameRange {

    private FrameRange() {}

    /** The frames from one seq to before another, as far as there are. */
    public static Future<List<Frame>> read(FrameLog log, StreamId stream, long fromSeq, long belowSeq) {
        var frames = new ArrayList<Frame>();
        return AsyncLoop.of(() -> {
                    long next = fromSeq + frames.size();
                    return next >= belowSeq
                            ? Future.succeededFuture(false)
                            : log.read(stream, next, (int) (belowSeq - next)).map(page -> frames.addAll(page.frames()));
                })
                .map(done -> frames);
    }
}
