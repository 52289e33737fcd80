package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task's outputs: each byte goes into its channel's artifact first, then a frame says that it is there. */
final class TaskOutput {

    /** A channel, and where its bytes go. */
    private record Kept(LogRef log, ArtifactWriter artifact) {}

    private final Map<Channel, Kept> kept = new EnumMap<>(Channel.class);

    private TaskOutput() {}

    /** An artifact for each output, empty as yet. */
    static TaskOutput create(ArtifactStore store, String taskId, ExecutionMode mode, @Nullable Long maxBytes) {
        var output = new TaskOutput();
        for (Channel channel : mode.channels()) {
            String id = taskId + "." + channel.wireName();
            ArtifactWriter writer = store.create(id, maxBytes == null ? Long.MAX_VALUE : maxBytes);
            output.kept.put(channel, new Kept(new LogRef(channel, id, writer.path()), writer));
        }
        return output;
    }

    /** For a task that was not begun after all. */
    void discard() {
        kept.values().forEach(place -> place.artifact().withdraw());
    }

    List<LogRef> logs() {
        return kept.values().stream().map(Kept::log).toList();
    }

    void write(Channel channel, ByteBuffer bytes, TaskRecord record) {
        Kept place = kept.get(channel);
        if (place == null) {
            throw new IllegalStateException("A task without a channel " + channel + " wrote to it");
        }
        ArtifactWriter artifact = place.artifact();
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + Limits.DELTA_BYTES));
            boolean whole = !artifact.truncated();
            long offset = artifact.bytesTotal();
            int length = bytes.remaining();
            artifact.append(bytes);
            record.write(new ToolTaskOutputDelta(channel, offset, length, artifact.bytesStored()));
            if (whole && artifact.truncated()) {
                record.write(notStored(channel, artifact));
            }
            bytes.position(bytes.limit());
            bytes.limit(end);
        }
    }

    private static TaskNotice notStored(Channel channel, ArtifactWriter artifact) {
        String error = artifact.error();
        return error == null
                ? new TaskNotice(
                        "output_capped",
                        "The cap of " + artifact.bytesStored() + " bytes of " + channel.wireName()
                                + " is reached; what follows is counted but not stored")
                : new TaskNotice(
                        "output_not_stored",
                        channel.wireName() + " is not stored from byte " + artifact.bytesStored() + " on: " + error);
    }

    /**
     * Seals what was stored, with a frame for each output that has something in it; then tells what became of all. An output that
     * cannot be sealed says so, and does not keep the task from ending.
     */
    Future<List<LogEnd>> seal(TaskRecord record) {
        List<Future<LogEnd>> ends =
                kept.values().stream().map(place -> seal(place, record)).toList();
        return Future.all(ends).map(all -> all.list());
    }

    private static Future<LogEnd> seal(Kept kept, TaskRecord record) {
        ArtifactWriter artifact = kept.artifact();
        if (artifact.bytesTotal() == 0 && kept.log().channel() != Channel.PTY) {
            // The frames say so, and two files for each short task would be most of what it leaves on the disk.
            artifact.withdraw();
            return Future.succeededFuture(new LogEnd(kept.log(), 0, 0, null));
        }
        return artifact.seal().transform(sealing -> {
            String error = artifact.error();
            if (artifact.bytesTotal() == 0) {
                // Nothing to tell of; but sealed, so that its screens are found.
                return Future.succeededFuture(new LogEnd(kept.log(), 0, 0, null));
            }
            if (sealing.succeeded()) {
                Sealed sealed = sealing.result();
                record.write(new ArtifactWritten(sealed.artifactId(), "log", sealed.bytes(), sealed.digest(), null));
            } else if (error == null) {
                error = Wording.fitting(
                        "it could not be sealed: " + sealing.cause().getMessage());
            }
            return Future.succeededFuture(new LogEnd(kept.log(), artifact.bytesTotal(), artifact.bytesStored(), error));
        });
    }
}
