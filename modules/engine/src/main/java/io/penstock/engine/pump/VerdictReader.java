package io.penstock.engine.pump;

import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Cause;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Finds verdicts among the frames of a task, which are read for it: there are few of them, but they may lie far apart. */
final class VerdictReader {

    /** Read for one answer: some ten milliseconds of work. */
    private static final int FRAMES = 50 * Limits.PAGE_FRAMES;

    private final FrameLog log;
    private final StreamId stream;
    private final long fromSeq;
    private final List<Frame> found = new ArrayList<>();

    VerdictReader(FrameLog log, StreamId stream, long fromSeq) {
        this.log = log;
        this.stream = stream;
        this.fromSeq = fromSeq;
    }

    Future<VerdictPage> read() {
        return readOn(fromSeq);
    }

    private Future<VerdictPage> readOn(long seq) {
        if (seq - fromSeq >= FRAMES || found.size() >= Limits.PAGE_FRAMES) {
            return Future.succeededFuture(new VerdictPage(found, seq));
        }
        return log.read(stream, seq, Limits.PAGE_FRAMES).compose(page -> {
            page.frames().stream().filter(VerdictReader::tells).forEach(found::add);
            return page.frames().isEmpty()
                    ? Future.succeededFuture(new VerdictPage(found, null))
                    : readOn(page.nextSeq());
        });
    }

    private static boolean tells(Frame frame) {
        return frame.body() instanceof TaskPolicyVerdict
                || (frame.seq() == 0
                        && frame.body() instanceof ToolTaskStatus status
                        && status.cause() == Cause.POLICY);
    }
}
