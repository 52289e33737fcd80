package io.penstock.engine.task;

import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
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
 * One output as it is stored. A disk that is behind lets those wait who write much to it, and the loop has other tasks to see to: so
 * the pieces of a flood are stored by a worker, one after the other, while all others are stored at once; and it waits for its digest,
 * which would have to catch up before the task has ended. The frames are in the order of the bytes either way. Lives on its shard's context; the artifact is with one thread at a time.
 */
final class ChannelOutput {

    /** What a program fills faster than it is read. */
    private static final int FLOOD_BYTES = Limits.DELTA_BYTES;

    /** One is written while the next is filled. */
    private static final int SPARE = 2;

    private final WorkerExecutor workers;
    private final LogRef log;
    private final ArtifactWriter artifact;
    private final long cap;
    private final boolean headInstead;
    private long taken;
    private boolean truncated;
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
    private Future<?> stored = Future.succeededFuture();
    private Future<Sealed> sealing = Future.failedFuture("it was never sealed");

    /** @param headInstead whether its tail was to be kept, and cannot be */
    ChannelOutput(WorkerExecutor workers, Channel channel, ArtifactWriter artifact, long cap, boolean headInstead) {
        this.workers = workers;
        this.log = new LogRef(channel, artifact.artifactId(), artifact.path());
        this.artifact = artifact;
        this.cap = cap;
        this.headInstead = headInstead;
    }

    LogRef log() {
        return log;
    }

    /** For a task that was not begun after all. */
    void withdraw() {
        artifact.withdraw();
    }

    /** Takes all of the bytes, a delta's at most. */
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

    /** A terminal gives no more than a disk takes, and the way to a worker would be a third of what it costs. */
    private boolean isFlood(ByteBuffer bytes) {
        return bytes.remaining() >= FLOOD_BYTES && log.channel() != Channel.PTY;
    }

    /** What there is to record of it. */
    private List<FrameBody> store(long offset, ByteBuffer bytes) {
        int length = bytes.remaining();
        boolean whole = !artifact.truncated();
        boolean endsLine = bytes.get(bytes.limit() - 1) == '\n';
        long newlines = artifact.newlines();
        boolean wentOn = artifact.append(bytes) > 0 && artifact.gap() != null;
        truncated = artifact.truncated();
        int lines = (int) (artifact.newlines() - newlines) + (endsLine ? 0 : 1);
        var span = new LineSpan(newlines + 1, lines);
        var delta = new ToolTaskOutputDelta(log.channel(), offset, length, artifact.bytesStored(), span);
        var bodies = new ArrayList<FrameBody>();
        if (wentOn) {
            bodies.add(gap(Objects.requireNonNull(artifact.gap())));
        }
        bodies.add(delta);
        if ((whole || wentOn) && truncated) {
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
                                        ? ". The newest were to be kept, but the file system of the data directory"
                                                + " cannot give back the oldest"
                                        : ""))
                : new TaskNotice(
                        "output_not_stored",
                        log.channel().wireName() + " is not stored from byte " + artifact.bytesStored() + " on: "
                                + stopped + ". It goes on when there is room again");
    }

    /** Seals what was stored, once all of it is. Fails only with what {@link #tellEnd} tells. */
    Future<Sealed> seal() {
        sealing = stored.transform(all -> {
            if (taken == 0 && log.channel() != Channel.PTY) {
                // The frames say so, and two files for each short task would be most of what it leaves on the disk.
                artifact.withdraw();
            }
            return artifact.seal();
        });
        return sealing;
    }

    /** After the seal: records it, if there is something in it, and says what became of the output. */
    LogEnd tellEnd(TaskRecord record) {
        String digest = sealing.succeeded() ? sealing.result().digest() : null;
        if (taken == 0) {
            // No frame tells of it; a terminal's is sealed all the same, so that its screens are found.
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
