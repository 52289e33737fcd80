package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.LineSpan;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskOutputGap;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Stores one output. The pieces of a flood are stored by a worker, one after the other, because a slow disk blocks the writer of a
 * flood and the event loop has other tasks; and a flood waits for its digest, which would otherwise be behind at the end of the task.
 * Other pieces are stored at once. Either way the frames are in the order of the bytes. Lives on its shard's context; one thread at a
 * time uses the artifact.
 */
final class ChannelOutput {

    /** A read of this size means that the program writes faster than it is read. */
    private static final int FLOOD_BYTES = Limits.DELTA_BYTES;

    /** One buffer is stored while the next is filled. */
    private static final int SPARE = 2;

    private final WorkerExecutor workers;
    private final LogRef log;
    private final ArtifactWriter artifact;
    private final Address<ArtifactRequest<?>> artifacts;
    private final long cap;
    private final boolean headInstead;
    private long taken;
    private boolean truncated;
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
    private Future<?> stored = Future.succeededFuture();
    private Future<Sealed> sealing = Future.failedFuture("it was never sealed");

    /** @param headInstead whether the tail was requested but cannot be kept */
    ChannelOutput(
            WorkerExecutor workers,
            Address<ArtifactRequest<?>> artifacts,
            Channel channel,
            ArtifactWriter artifact,
            long cap,
            boolean headInstead) {
        this.workers = workers;
        this.log = new LogRef(channel, artifact.artifactId(), artifact.path());
        this.artifact = artifact;
        this.artifacts = artifacts;
        this.cap = cap;
        this.headInstead = headInstead;
        this.taken = artifact.bytesTotal();
        this.truncated = artifact.truncated();
    }

    LogRef log() {
        return log;
    }

    /** Leaves nothing behind, except what an earlier run has written. */
    void discard() {
        if (taken == 0) {
            artifact.withdraw();
        } else {
            artifact.abandon();
        }
    }

    /** Takes all of the bytes, at most as many as a delta may have. */
    void write(ByteBuffer bytes, TaskRecord record) {
        long offset = taken;
        taken += bytes.remaining();
        if (stored.isComplete() && (truncated || !isFlood(bytes))) {
            store(offset, bytes).forEach(record::write);
            return;
        }
        ByteBuffer free = spare.poll();
        ByteBuffer piece = (free == null ? ByteBuffer.allocateDirect(Limits.DELTA_BYTES) : free)
                .put(bytes)
                .flip();
        var expected = new ToolTaskOutputDelta(log.channel(), offset, piece.remaining(), Math.min(cap, taken));
        Future<List<FrameBody>> next = stored.compose(
                        before -> workers.executeBlocking(() -> store(offset, piece), false))
                .compose(known -> artifact.digestIsNear().map(near -> Objects.requireNonNull(known)));
        stored = next;
        next.onComplete(done -> {
            if (spare.size() < SPARE) {
                spare.push(piece.clear());
            }
        });
        record.write(expected, next);
    }

    /** A terminal is never faster than a disk, and the hop to a worker would be a third of its cost. */
    private boolean isFlood(ByteBuffer bytes) {
        return bytes.remaining() >= FLOOD_BYTES && log.channel() != Channel.PTY;
    }

    /** Returns the frames that record it. */
    private List<FrameBody> store(long offset, ByteBuffer bytes) {
        int length = bytes.remaining();
        boolean whole = !artifact.truncated();
        boolean endsLine = bytes.get(bytes.limit() - 1) == '\n';
        long newlines = artifact.newlines();
        boolean resumed = artifact.append(bytes) > 0 && artifact.gap() != null;
        truncated = artifact.truncated();
        int lines = (int) (artifact.newlines() - newlines) + (endsLine ? 0 : 1);
        var span = new LineSpan(newlines + 1, lines);
        var delta = new ToolTaskOutputDelta(log.channel(), offset, length, artifact.bytesStored(), span);
        var bodies = new ArrayList<FrameBody>();
        if (resumed) {
            bodies.add(gap(Objects.requireNonNull(artifact.gap())));
        }
        bodies.add(delta);
        if ((whole || resumed) && truncated) {
            bodies.add(notStored());
        }
        return bodies;
    }

    private ToolTaskOutputGap gap(ArtifactWriter.Missing missing) {
        return new ToolTaskOutputGap(
                log.channel(), missing.offset(), missing.bytes(), TaskSentences.fitting(missing.why()));
    }

    private TaskNotice notStored() {
        String stopped = artifact.stopped();
        return stopped == null
                ? new TaskNotice(
                        "output_capped",
                        "The cap of " + artifact.bytesStored() + " bytes of "
                                + log.channel().wireName() + " is reached; what follows is counted but not stored"
                                + (headInstead
                                        ? ". The newest bytes should be kept, but the file system of the data directory"
                                                + " cannot release the oldest"
                                        : ""))
                : new TaskNotice(
                        "output_not_stored",
                        log.channel().wireName() + " is not stored from byte " + artifact.bytesStored() + " on: "
                                + stopped + ". Storing resumes when there is room again");
    }

    /** Seals the artifact after everything is stored. {@link #recordEnd} reports a failure. */
    Future<Sealed> seal() {
        // The frames say that it is empty, and two files would be most of what a short task leaves on the disk.
        sealing = stored.transform(all -> taken == 0 && log.channel() != Channel.PTY
                ? Future.succeededFuture(artifact.withdraw())
                : artifacts.request(artifact.end()));
        return sealing;
    }

    /** After the seal: records the artifact unless it is empty, and returns the output's end. */
    LogEnd recordEnd(TaskRecord record) {
        String digest = sealing.succeeded() ? sealing.result().digest() : null;
        if (taken == 0) {
            // No frame records it; that of a terminal is sealed nevertheless, so that its screens are found.
            return new LogEnd(log, 0, 0, null, digest);
        }
        String error = artifact.error();
        ArtifactWriter.Missing missing = artifact.missingAtEnd();
        if (missing != null) {
            record.write(gap(missing));
        }
        if (sealing.succeeded()) {
            Sealed sealed = sealing.result();
            record.write(new ArtifactWritten(sealed.artifactId(), "log", sealed.bytes(), sealed.digest(), null));
        } else if (error == null) {
            error = TaskSentences.fitting(
                    "it could not be sealed: " + sealing.cause().getMessage());
        }
        return new LogEnd(log, artifact.bytesTotal(), artifact.bytesStored(), error, digest);
    }
}
