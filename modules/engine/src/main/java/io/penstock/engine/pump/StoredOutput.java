package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;

/**
 * One output as it is stored. A disk that is behind lets those wait who write much to it, and the loop has other tasks to see to: so
 * the pieces of a flood are stored by a worker, one after the other, while all others are stored at once; and it waits for its digest,
 * which would have to catch up before the task has ended. The frames are in the order of the bytes either way. Lives on its shard's context; the artifact is with one thread at a time.
 */
final class StoredOutput {

    /** What a program fills faster than it is read. */
    private static final int FLOOD_BYTES = Limits.DELTA_BYTES;

    /** One is written while the next is filled. */
    private static final int SPARE = 2;

    private final WorkerExecutor workers;
    private final LogRef log;
    private final ArtifactWriter artifact;
    private final long cap;
    private long taken;
    private boolean truncated;
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
    private Future<?> stored = Future.succeededFuture();
    private Future<Sealed> sealing = Future.failedFuture("it was never sealed");

    StoredOutput(WorkerExecutor workers, Channel channel, ArtifactWriter artifact, long cap) {
        this.workers = workers;
        this.log = new LogRef(channel, artifact.artifactId(), artifact.path());
        this.artifact = artifact;
        this.cap = cap;
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
        artifact.append(bytes);
        truncated = artifact.truncated();
        var delta = new ToolTaskOutputDelta(log.channel(), offset, length, artifact.bytesStored());
        return whole && truncated ? List.of(delta, notStored()) : List.of(delta);
    }

    private TaskNotice notStored() {
        String error = artifact.error();
        return error == null
                ? new TaskNotice(
                        "output_capped",
                        "The cap of " + artifact.bytesStored() + " bytes of "
                                + log.channel().wireName() + " is reached; what follows is counted but not stored")
                : new TaskNotice(
                        "output_not_stored",
                        log.channel().wireName() + " is not stored from byte " + artifact.bytesStored() + " on: "
                                + error);
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
        if (taken == 0) {
            // Nothing to tell of; a terminal's is sealed all the same, so that its screens are found.
            return new LogEnd(log, 0, 0, null);
        }
        String error = artifact.error();
        if (sealing.succeeded()) {
            Sealed sealed = sealing.result();
            record.write(new ArtifactWritten(sealed.artifactId(), "log", sealed.bytes(), sealed.digest(), null));
        } else if (error == null) {
            error = Wording.fitting("it could not be sealed: " + sealing.cause().getMessage());
        }
        return new LogEnd(log, artifact.bytesTotal(), artifact.bytesStored(), error);
    }
}
