package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.TaskResourceUsage;
import io.vertx.core.Context;
import org.jspecify.annotations.Nullable;

/** Records what the processes of a task use, each time that has changed considerably. Lives on its shard's context. */
final class UsageRecord {

    /** Smaller changes are noise: of the share of a processor, and of memory. */
    private static final int PERCENT = 2;

    private static final long MEMORY_BYTES = 1 << 20;
    private static final long CPU_MS = 1_000;

    /** Changes by less than this part of a value are not recorded either. */
    private static final int PART = 10;

    private final TaskRecord record;
    private final UsageSampler sampler;
    private UsageSampler.@Nullable Watched watched;
    private @Nullable TaskResourceUsage last;
    private int framesWritten;

    UsageRecord(TaskRecord record, UsageSampler sampler) {
        this.record = record;
        this.sampler = sampler;
    }

    /** The number of frames that were recorded for it. */
    int framesWritten() {
        return framesWritten;
    }

    void start(Context owner, RunningProcess program) {
        watched = sampler.watch(program.identity().pid(), usage -> owner.runOnContext(on -> sampled(usage)));
    }

    /** The program ends or is being stopped. */
    void stop() {
        UsageSampler.Watched program = watched;
        if (program != null) {
            watched = null;
            program.stop();
        }
    }

    private void sampled(TaskResourceUsage usage) {
        boolean mayWrite = watched != null && !record.isHeldBack() && record.broken() == null;
        if (mayWrite && (last == null || isNews(last, usage))) {
            last = usage;
            framesWritten++;
            record.write(usage);
        }
    }

    static boolean isNews(TaskResourceUsage last, TaskResourceUsage now) {
        return differ(last.cpuPercent(), now.cpuPercent(), PERCENT)
                || differ(last.cpuMs(), now.cpuMs(), CPU_MS)
                || differ(last.memoryBytes(), now.memoryBytes(), MEMORY_BYTES)
                || differ(last.memoryPeakBytes(), now.memoryPeakBytes(), MEMORY_BYTES);
    }

    private static boolean differ(long last, long now, long noise) {
        return Math.abs(now - last) > Math.max(noise, last / PART);
    }
}
