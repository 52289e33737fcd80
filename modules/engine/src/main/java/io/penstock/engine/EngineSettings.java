package io.penstock.engine;

import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What an engine is told.
 *
 * @param workspace the folder that tasks work in or below
 * @param listeners who is told of every frame of every task
 * @param quotas how many tasks run and wait, and how fast they may write
 * @param keepOutputs how long the output of a task is kept after its end
 * @param descriptors whether there are any for one more task
 * @param diskReserveBytes room on the disk that outputs leave free
 */
public record EngineSettings(
        LogSettings log,
        Path workspace,
        SpawnerChoice spawner,
        PolicySource policy,
        Quotas quotas,
        List<FrameListener.Source> listeners,
        Duration keepOutputs,
        DescriptorBudget descriptors,
        long diskReserveBytes) {

    /** A month: who comes back from holidays still finds what ran before. */
    public static final Duration KEEP_OUTPUTS = Duration.ofDays(30);

    public EngineSettings {
        listeners = List.copyOf(listeners);
    }

    /** As usual. */
    public EngineSettings(LogSettings log, Path workspace) {
        this(
                log,
                workspace,
                SpawnerChoice.AUTOMATIC,
                PolicySource.LOCAL,
                Quotas.DEFAULT,
                List.of(),
                KEEP_OUTPUTS,
                new DescriptorBudget(),
                Limits.DISK_RESERVE_BYTES);
    }
}
