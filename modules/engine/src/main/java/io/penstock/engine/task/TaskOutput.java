package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Recorded;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Keep;
import io.penstock.frames.Limits;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
            boolean tail = keep == Keep.TAIL;
            output.add(floods, artifacts, channel, store.create(id, cap, tail), cap, tail);
        }
        return output;
    }

    /** The outputs of the next run of a recorded task: continues what its earlier runs have written. Blocks. */
    public static TaskOutput continued(TaskServices services, String taskId, RecordedTask recorded) throws IOException {
        ToolTaskSpawned spec = Objects.requireNonNull(recorded.state().spec(), "a task that runs was accepted");
        if (recorded.state().run().number() == 1) {
            return create(
                    services.floods(),
                    services.artifacts(),
                    services.addresses().artifacts(),
                    taskId,
                    spec.executionMode(),
                    spec.artifactMaxBytes(),
                    spec.keep());
        }
        return ofNextRun(services, recorded);
    }

    /** The outputs of another run of a task that has run before. Blocks. */
    public static TaskOutput ofNextRun(TaskServices services, RecordedTask recorded) throws IOException {
        ToolTaskSpawned spec = Objects.requireNonNull(recorded.state().spec(), "a task that has run was accepted");
        var output = new TaskOutput();
        ArtifactStore store = services.artifacts();
        boolean tail = spec.keep() == Keep.TAIL;
        Long maxBytes = spec.artifactMaxBytes();
        long cap = maxBytes == null ? Long.MAX_VALUE : maxBytes;
        try {
            for (LogRef log : spec.logs()) {
                Recorded before = recorded.output(log.channel());
                output.add(
                        services.floods(),
                        services.addresses().artifacts(),
                        log.channel(),
                        store.resume(log.artifactId(), cap, tail, before),
                        cap,
                        tail);
            }
        } catch (IOException | RuntimeException e) {
            output.discard();
            throw e;
        }
        return output;
    }

    private void add(
            WorkerExecutor floods,
            Address<ArtifactRequest<?>> artifacts,
            Channel channel,
            ArtifactWriter writer,
            long cap,
            boolean tail) {
        boolean headInstead = tail && !writer.keepsTail();
        long limit = writer.keepsTail() ? Long.MAX_VALUE : cap;
        outputs.put(channel, new ChannelOutput(floods, artifacts, channel, writer, limit, headInstead));
    }

    /** Of a task of which nothing was recorded, the outputs are forgotten; those of an earlier run are left to the next server. */
    public void discard() {
        outputs.values().forEach(ChannelOutput::discard);
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
     * Seals the stored bytes, records each output that is not empty, in the order of the channels, and completes with the ends of all
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
