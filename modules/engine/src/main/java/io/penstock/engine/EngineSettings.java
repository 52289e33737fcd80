package io.penstock.engine;

import io.penstock.engine.log.FrameListener;
import io.penstock.engine.log.LogSettings;
import io.penstock.engine.policy.PolicySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What an engine is told.
 *
 * @param workspace the folder that tasks work in or below
 * @param listeners who is told of every frame of every task
 * @param keepOutputs how long the output of a task is kept after its end
 * @param outputRate bytes that a task may write in a second; 0 is without limit
 */
public record EngineSettings(
        LogSettings log,
        Path workspace,
        SpawnerChoice spawner,
        PolicySource policy,
        List<FrameListener.Source> listeners,
        Duration keepOutputs,
        long outputRate) {

    /** A month: who comes back from holidays still finds what ran before. */
    public static final Duration KEEP_OUTPUTS = Duration.ofDays(30);

    public EngineSettings {
        listeners = List.copyOf(listeners);
        if (outputRate < 0) {
            throw new IllegalArgumentException("An output rate is 0 or more bytes in a second, not " + outputRate);
        }
    }

    /** As usual. */
    public EngineSettings(LogSettings log, Path workspace) {
        this(log, workspace, SpawnerChoice.AUTOMATIC, PolicySource.LOCAL, List.of(), KEEP_OUTPUTS, 0);
    }
}
