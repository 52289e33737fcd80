package io.penstock.engine.view;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Finds the frame at which the last bytes of a task's output begin, page by page from the end. */
public final class TailStart {

    private final FrameLog log;
    private final StreamId stream;
    private long seq;
    private long left;

    private TailStart(FrameLog log, StreamId stream, long endSeq, long bytes) {
        this.log = log;
        this.stream = stream;
        this.seq = endSeq;
        this.left = bytes;
    }

    /** The last frame such that it and those up to {@code endSeq} have this many bytes of output; 0 if there are fewer. */
    public static Future<Long> from(FrameLog log, StreamId stream, long endSeq, long bytes) {
        var search = new TailStart(log, stream, endSeq, bytes);
        return AsyncLoop.of(search::page).map(done -> search.seq);
    }

    private Future<Boolean> page() {
        if (seq == 0 || left <= 0) {
            return Future.succeededFuture(false);
        }
        long pageSeq = Math.max(0, seq - Limits.PAGE_FRAMES);
        var frames = new ArrayList<Frame>();
        return AsyncLoop.of(() -> read(frames, pageSeq + frames.size())).map(done -> {
            for (int i = frames.size() - 1; i >= 0 && left > 0; i--) {
                left -= frames.get(i).body() instanceof ToolTaskOutputDelta delta ? delta.bytes() : 0;
                seq = frames.get(i).seq();
            }
            return !frames.isEmpty();
        });
    }

    /** A page may have fewer frames than it could. */
    private Future<Boolean> read(List<Frame> frames, long fromSeq) {
        return fromSeq >= seq
                ? Future.succeededFuture(false)
                : log.read(stream, fromSeq, (int) (seq - fromSeq)).map(page -> frames.addAll(page.frames()));
    }
}
