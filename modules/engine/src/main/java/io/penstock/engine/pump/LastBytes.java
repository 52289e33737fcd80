package io.penstock.engine.pump;

import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import java.util.List;

/** Finds where the newest so many bytes of a task's output begin, page by page from its end. */
final class LastBytes {

    private final FrameLog log;
    private final StreamId stream;

    LastBytes(FrameLog log, StreamId stream) {
        this.log = log;
        this.stream = stream;
    }

    /** The first frame of the fewest that lie before {@code endSeq} and have so many bytes together, or 0. */
    Future<Long> from(long endSeq, long bytes) {
        if (endSeq == 0 || bytes <= 0) {
            return Future.succeededFuture(endSeq);
        }
        long pageSeq = Math.max(0, endSeq - Limits.PAGE_FRAMES);
        return readTo(pageSeq, endSeq, bytes);
    }

    private Future<Long> readTo(long pageSeq, long endSeq, long bytes) {
        return log.read(stream, pageSeq, (int) (endSeq - pageSeq)).compose(page -> {
            List<Frame> frames = page.frames();
            long left = bytes;
            for (int i = frames.size() - 1; i >= 0; i--) {
                left -= frames.get(i).body() instanceof ToolTaskOutputDelta delta ? delta.bytes() : 0;
                if (left <= 0) {
                    return Future.succeededFuture(frames.get(i).seq());
                }
            }
            return pageSeq == 0 ? Future.succeededFuture(0L) : from(pageSeq, left);
        });
    }
}
