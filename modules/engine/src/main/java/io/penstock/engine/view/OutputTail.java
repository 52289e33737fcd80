package io.penstock.engine.view;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactRequest.Recorded;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.FrameRange;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.LogEnd;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end of a task's newest output, on whichever channel it was written. */
public final class OutputTail {

    /** Behind the last output, a task records its artifacts, verdicts and its end. */
    private static final int SEARCHED_FRAMES = 64;

    private OutputTail() {}

    /**
     * Reads whole characters.
     *
     * @param nextSeq the number of the task's frames
     * @param logs the sizes of the outputs after these frames
     * @param told the output to read if anything was written to it, since it says most about the task; null for the newest
     * @return empty if the task has written nothing, or its output was removed
     */
    public static Future<String> read(
            FrameLog log,
            Address<ArtifactRequest<?>> artifacts,
            StreamId stream,
            long nextSeq,
            List<LogEnd> logs,
            @Nullable Channel told,
            int maxBytes) {
        List<LogEnd> written =
                logs.stream().filter(end -> end.bytesStored() > 0).toList();
        for (LogEnd end : written) {
            if (end.log().channel() == told) {
                return text(artifacts, end, maxBytes);
            }
        }
        return switch (written.size()) {
            case 0 -> Future.succeededFuture("");
            case 1 -> text(artifacts, written.getFirst(), maxBytes);
            default ->
                FrameRange.read(log, stream, Math.max(0, nextSeq - SEARCHED_FRAMES), nextSeq)
                        .compose(frames -> text(artifacts, newest(frames, written), maxBytes));
        };
    }

    /** The output that the last of these frames adds to; the first output if none does. */
    private static LogEnd newest(List<Frame> frames, List<LogEnd> written) {
        for (Frame frame : frames.reversed()) {
            if (frame.body() instanceof ToolTaskOutputDelta delta) {
                for (LogEnd end : written) {
                    if (end.log().channel() == delta.channel()) {
                        return end;
                    }
                }
            }
        }
        return written.getFirst();
    }

    private static Future<String> text(Address<ArtifactRequest<?>> artifacts, LogEnd end, int maxBytes) {
        var recorded = new Recorded(end.log().artifactId(), end.bytesStored(), false);
        long from = Math.max(0, end.bytesStored() - maxBytes);
        return artifacts
                .request(new ArtifactRequest.ReadText(recorded, from, maxBytes))
                .map(page -> page.text().text())
                // It was deleted or trimmed, which the task's own page explains.
                .otherwise("");
    }
}
