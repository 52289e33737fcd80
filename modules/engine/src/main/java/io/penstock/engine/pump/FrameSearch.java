package io.penstock.engine.pump;

import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Cause;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskResourceUsage;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Searches a task's frames for those of a kind: there are few of them, but they may be far apart. */
final class FrameSearch {

    /** Maximum number of frames that one request searches: some ten milliseconds of work. */
    private static final int FRAMES = 50 * Limits.PAGE_FRAMES;

    private final FrameLog log;
    private final StreamId stream;
    private final long fromSeq;
    private final Predicate<Frame> wanted;
    private final List<Frame> found = new ArrayList<>();

    private FrameSearch(FrameLog log, StreamId stream, long fromSeq, Predicate<Frame> wanted) {
        this.log = log;
        this.stream = stream;
        this.fromSeq = fromSeq;
        this.wanted = wanted;
    }

    /** For verdicts of policy, and the status of a spawn that was denied at once. */
    static FrameSearch forVerdicts(FrameLog log, StreamId stream, long fromSeq) {
        return new FrameSearch(log, stream, fromSeq, FrameSearch::isVerdict);
    }

    static FrameSearch forWatchers(FrameLog log, StreamId stream, long fromSeq) {
        return new FrameSearch(log, stream, fromSeq, frame -> frame.body() instanceof TaskWatcherAdded);
    }

    static FrameSearch forHits(FrameLog log, StreamId stream, long fromSeq) {
        return new FrameSearch(log, stream, fromSeq, frame -> frame.body() instanceof TaskWatcherHit);
    }

    static FrameSearch forUsage(FrameLog log, StreamId stream, long fromSeq) {
        return new FrameSearch(log, stream, fromSeq, frame -> frame.body() instanceof TaskResourceUsage);
    }

    Future<FoundFrames> run() {
        return readFrom(fromSeq);
    }

    private Future<FoundFrames> readFrom(long seq) {
        if (seq - fromSeq >= FRAMES || found.size() >= Limits.PAGE_FRAMES) {
            return Future.succeededFuture(new FoundFrames(found, seq));
        }
        return log.read(stream, seq, Limits.PAGE_FRAMES).compose(page -> {
            page.frames().stream().filter(wanted).forEach(found::add);
            return page.frames().isEmpty()
                    ? Future.succeededFuture(new FoundFrames(found, null))
                    : readFrom(page.nextSeq());
        });
    }

    private static boolean isVerdict(Frame frame) {
        return frame.body() instanceof TaskPolicyVerdict
                || (frame.seq() == 0
                        && frame.body() instanceof ToolTaskStatus status
                        && status.cause() == Cause.POLICY);
    }
}
