package io.penstock.engine.view;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.FrameRange;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The newest output of a task up to one of its frames: stdout and stderr as they came, at most {@link Limits#SNIPPET_CHARS} characters. A
 * bounded number of frames is read, from the end.
 */
public final class Snippet {

    private final FrameLog log;
    private final StreamId stream;
    private final ArrayDeque<Frame> output = new ArrayDeque<>();
    private final long leastSeq;
    private long endSeq;
    private long bytes;

    private Snippet(FrameLog log, StreamId stream, long endSeq) {
        this.log = log;
        this.stream = stream;
        this.endSeq = endSeq;
        this.leastSeq = Math.max(0, endSeq - Limits.SNIPPET_FRAMES);
    }

    /**
     * Reads the snippet.
     *
     * @param endSeq the first frame whose output does not belong to it
     * @return empty if the task has written nothing there; null if its output was removed
     */
    public static Future<@Nullable String> read(
            Vertx vertx, FrameLog log, ArtifactStore artifacts, StreamId stream, ToolTaskSpawned spec, long endSeq) {
        var snippet = new Snippet(log, stream, endSeq);
        return AsyncLoop.of(snippet::page)
                .compose(found -> snippet.output.isEmpty()
                        ? Future.succeededFuture("")
                        : vertx.executeBlocking(
                                () -> snippet.text(new DeltaReader(artifacts, InlineText.FULL, false), spec), false));
    }

    private Future<Boolean> page() {
        long from = Math.max(leastSeq, endSeq - Limits.PAGE_FRAMES);
        if (from >= endSeq || bytes >= Limits.SNIPPET_BYTES) {
            return Future.succeededFuture(false);
        }
        return FrameRange.read(log, stream, from, endSeq).map(frames -> {
            for (Frame frame : frames.reversed()) {
                if (bytes < Limits.SNIPPET_BYTES && frame.body() instanceof ToolTaskOutputDelta delta) {
                    bytes += delta.bytes();
                    output.addFirst(frame);
                }
            }
            endSeq = from;
            return !frames.isEmpty();
        });
    }

    private @Nullable String text(DeltaReader reader, ToolTaskSpawned spec) throws IOException {
        reader.spec(spec);
        var all = new StringBuilder();
        for (Frame frame : output) {
            if (reader.withText(frame).body() instanceof ToolTaskOutputDelta delta) {
                DeltaText shown = delta.text();
                all.append(shown == null ? "" : shown.chunk());
            }
        }
        return all.isEmpty() && !reader.removed().isEmpty() ? null : WholeCharacters.end(all, Limits.SNIPPET_CHARS);
    }
}
