package io.penstock.engine.task;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Keep;
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
public final class TaskOutput {

    private final Map<Channel, ChannelOutput> kept = new EnumMap<>(Channel.class);

    private TaskOutput() {}

    /**
     * An artifact for each output, empty as yet.
     *
     * @param floods stores what programs write faster than it is read
     * @param keep what is kept of a larger output; null in tasks from before this was recorded: its head
     */
    public static TaskOutput create(
            WorkerExecutor floods,
            ArtifactStore store,
            String taskId,
            ExecutionMode mode,
            @Nullable Long maxBytes,
            @Nullable Keep keep) {
        var output = new TaskOutput();
        for (Channel channel : mode.channels()) {
            String id = taskId + "." + channel.wireName();
            long cap = maxBytes == null ? Long.MAX_VALUE : maxBytes;
            ArtifactWriter writer = store.create(id, cap, keep == Keep.TAIL);
            boolean headInstead = keep == Keep.TAIL && !writer.keepsTail();
            output.kept.put(
                    channel,
                    new ChannelOutput(floods, channel, writer, writer.keepsTail() ? Long.MAX_VALUE : cap, headInstead));
        }
        return output;
    }

    /** For a task that was not begun after all. */
    public void discard() {
        kept.values().forEach(ChannelOutput::withdraw);
    }

    public List<LogRef> logs() {
        return kept.values().stream().map(ChannelOutput::log).toList();
    }

    void write(Channel channel, ByteBuffer bytes, TaskRecord record) {
        ChannelOutput place = kept.get(channel);
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
                kept.values().stream().map(ChannelOutput::seal).toList();
        return Future.join(seals)
                .transform(all -> Future.succeededFuture(kept.values().stream()
                        .map(place -> place.tellEnd(record))
                        .toList()));
    }
}
