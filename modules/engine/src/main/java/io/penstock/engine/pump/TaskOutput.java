package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.Sealed;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task's outputs: each byte goes into its channel's artifact first, then a frame says that it is there. */
final class TaskOutput {

    private final Map<Channel, StoredOutput> kept = new EnumMap<>(Channel.class);

    private TaskOutput() {}

    /**
     * An artifact for each output, empty as yet.
     *
     * @param floods stores what programs write faster than it is read
     */
    static TaskOutput create(
            WorkerExecutor floods, ArtifactStore store, String taskId, ExecutionMode mode, @Nullable Long maxBytes) {
        var output = new TaskOutput();
        for (Channel channel : mode.channels()) {
            String id = taskId + "." + channel.wireName();
            long cap = maxBytes == null ? Long.MAX_VALUE : maxBytes;
            output.kept.put(channel, new StoredOutput(floods, channel, store.create(id, cap), cap));
        }
        return output;
    }

    /** For a task that was not begun after all. */
    void discard() {
        kept.values().forEach(StoredOutput::withdraw);
    }

    List<LogRef> logs() {
        return kept.values().stream().map(StoredOutput::log).toList();
    }

    void write(Channel channel, ByteBuffer bytes, TaskRecord record) {
        StoredOutput place = kept.get(channel);
        if (place == null) {
            throw new IllegalStateException("A task without a channel " + channel + " wrote to it");
        }
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + Limits.DELTA_BYTES));
            place.write(bytes, record);
            bytes.limit(end);
        }
    }

    /**
     * Seals what was stored, with a frame for each output that has something in it, in the order of the channels; then tells what became of all. An output that
     * cannot be sealed says so, and does not keep the task from ending.
     */
    Future<List<LogEnd>> seal(TaskRecord record) {
        List<Future<Sealed>> seals =
                kept.values().stream().map(StoredOutput::seal).toList();
        return Future.join(seals)
                .transform(all -> Future.succeededFuture(kept.values().stream()
                        .map(place -> place.tellEnd(record))
                        .toList()));
    }
}
