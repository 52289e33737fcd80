package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.spawn.Spawner;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What every task is made with.
 *
 * @param workspace the folder that all tasks work in or below
 */
public record TaskParts(
        FrameLog log,
        TaskIndex index,
        ArtifactStore artifacts,
        Spawner spawner,
        LiveTasks live,
        Path workspace,
        LongSupplier clockMs) {}
