package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.task.record.TaskRecord;
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

/** A task's outputs. Each byte goes into its channel's artifact first, then a frame records it. */
public final class TaskOutput {

    private final Map<Channel, ChannelOutput> outputs = new EnumMap<>(Channel.class);

    private TaskOutput() {}

    /**
     * Creates an empty artifact for each output.
     *
     * @param floods stores output that is written faster than it is read
     * @param artifacts seals the outputs
     * @param keep the part of a larger output that is kept; null in tasks from before this was recorded, which keep the head
     */
    public static TaskOutput create(
            WorkerExecutor floods,
            ArtifactStore store,
            Address<ArtifactRequest<?>> artifacts,
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
            output.outputs.put(
                    channel,
                    new ChannelOutput(
                            floods,
                            artifacts,
                            channel,
                            writer,
                            writer.keepsTail() ? Long.MAX_VALUE : cap,
                            headInstead));
        }
        return output;
    }

    /** For a task of which nothing was recorded. */
    public void discard() {
        outputs.values().forEach(ChannelOutput::withdraw);
    }

    public List<LogRef> logs() {
        return outputs.values().stream().map(ChannelOutput::log).toList();
    }

    void write(Channel channel, ByteBuffer bytes, TaskRecord record) {
        ChannelOutput channelOutput = outputs.get(channel);
        if (channelOutput == null) {
            throw new IllegalStateException("A task without a channel " + channel + " wrote to it");
        }
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + Limits.DELTA_BYTES));
            channelOutput.write(bytes, record);
            bytes.limit(end);
        }
    }

    /**
     * Seals what was stored, records each output that is not empty, in the order of the channels, and completes with the ends of all
     * outputs. An output that cannot be sealed says so in its end; the task ends nevertheless.
     */
    Future<List<LogEnd>> seal(TaskRecord record) {
        List<Future<Sealed>> seals =
                outputs.values().stream().map(ChannelOutput::seal).toList();
        return Future.join(seals)
                .transform(all -> Future.succeededFuture(outputs.values().stream()
                        .map(output -> output.recordEnd(record))
                        .toList()));
    }
}
