package io.penstock.engine.task.matching;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.BytesGone;
import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Matches the recorded output from before a watcher was added, a part at a time. Bytes that are no longer stored are skipped. */
final class EarlierOutput {

    private record Delta(ToolTaskOutputDelta body, long seq) {}

    private final FrameLog log;
    private final ArtifactStore artifacts;
    private final WorkerExecutor workers;
    private final StreamId stream;
    private final ToolTaskSpawned spec;
    private final WatchGroup group;
    private final long endSeq;
    private final ArrayDeque<Delta> deltas = new ArrayDeque<>();
    private long nextSeq;

    EarlierOutput(
            FrameLog log,
            ArtifactStore artifacts,
            WorkerExecutor workers,
            StreamId stream,
            ToolTaskSpawned spec,
            WatchStep.Join join) {
        this.log = log;
        this.artifacts = artifacts;
        this.workers = workers;
        this.stream = stream;
        this.spec = spec;
        this.group = join.group();
        this.nextSeq = join.fromSeq();
        this.endSeq = join.endSeq();
    }

    boolean isDone() {
        return deltas.isEmpty() && nextSeq >= endSeq;
    }

    /** Matches the next part. */
    Future<List<TaskWatcherHit>> next() {
        Future<?> page = deltas.isEmpty()
                ? log.read(stream, nextSeq, (int) Math.min(endSeq - nextSeq, Limits.PAGE_FRAMES))
                        .map(read -> {
                            nextSeq = read.nextSeq();
                            read.frames().forEach(this::add);
                            return nextSeq;
                        })
                : Future.succeededFuture();
        return page.compose(read -> workers.executeBlocking(this::match, false)).map(Objects::requireNonNull);
    }

    private void add(Frame frame) {
        if (frame.body() instanceof ToolTaskOutputDelta delta) {
            deltas.add(new Delta(delta, frame.seq()));
        }
    }

    private List<TaskWatcherHit> match() throws IOException {
        var hits = new ArrayList<TaskWatcherHit>();
        long until = System.nanoTime() + WatchWork.TURN_NANOS;
        while (!deltas.isEmpty() && hits.size() < WatchWork.HITS && System.nanoTime() < until) {
            match(deltas.remove(), hits);
        }
        return hits;
    }

    private void match(Delta delta, List<TaskWatcherHit> hits) throws IOException {
        Channel channel = delta.body().channel();
        long end = delta.body().bytesTotal();
        try {
            Artifact artifact = artifacts.find(spec.log(channel).artifactId());
            long at = artifact.nextByte(delta.body().offset());
            while (at < end) {
                byte[] bytes = artifact.read(at, (int) (end - at));
                if (bytes.length == 0) {
                    return;
                }
                hits.addAll(group.match(new WatchStep.Output(channel, at, bytes, 0, bytes.length, delta.seq())));
                at = artifact.nextByte(at + bytes.length);
            }
        } catch (BytesGone e) {
            // Dropped while it was being read.
            return;
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
        }
    }
}
