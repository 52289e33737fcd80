package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.task.OutputPace;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What every task is made with.
 *
 * @param policy the rules in force, whenever they are asked for
 * @param ended what is told of those that have ended, without reading it
 * @param lanes who runs and who waits, of all shards together
 * @param queue what is kept of those who wait
 * @param descriptors whether there are any for one more program
 * @param workspace the folder that all tasks work in or below
 * @param floods stores what programs write faster than it is read: a few threads, which wait for the disk so that no other does
 * @param outputRate bytes that a task may write in a second, or {@link OutputPace#UNLIMITED}
 */
public record ShardServices(
        FrameLog log,
        TaskIndex index,
        ArtifactStore artifacts,
        Spawner spawner,
        Supplier<Policy> policy,
        LiveTaskFolder live,
        EndedStateCache ended,
        Lanes lanes,
        QueueFolder queue,
        DescriptorBudget descriptors,
        Path workspace,
        WorkerExecutor floods,
        long outputRate,
        LongSupplier clockMs) {}
