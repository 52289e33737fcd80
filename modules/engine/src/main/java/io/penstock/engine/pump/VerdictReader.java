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

/** Searches a task's frames for verdicts: there are few of them, but they may be far apart. */
final class VerdictReader {

    /** Maximum number of frames that one request searches: some ten milliseconds of work. */
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
        return readFrom(fromSeq);
    }

    private Future<VerdictPage> readFrom(long seq) {
        if (seq - fromSeq >= FRAMES || found.size() >= Limits.PAGE_FRAMES) {
            return Future.succeededFuture(new VerdictPage(found, seq));
        }
        return log.read(stream, seq, Limits.PAGE_FRAMES).compose(page -> {
            page.frames().stream().filter(VerdictReader::isVerdict).forEach(found::add);
            return page.frames().isEmpty()
                    ? Future.succeededFuture(new VerdictPage(found, null))
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
