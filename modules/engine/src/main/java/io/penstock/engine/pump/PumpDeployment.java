package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.Spawner;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The shards of a node, deployed: what a dead server left running has been ended, and what it left waiting waits again. Nothing is
 * started before its {@link #lanes} are opened, so that a start that fails after all has begun nothing.
 */
public final class PumpDeployment {

    /** Floods that are stored at the same time; all of them wait for the same disk. */
    private static final int FLOODS_AT_ONCE = 4;

    private final Vertx vertx;
    private final TaskParts parts;
    private final TaskApi tasks;
    private final List<String> deployments;

    private PumpDeployment(Vertx vertx, TaskParts parts, TaskApi tasks, List<String> deployments) {
        this.vertx = vertx;
        this.parts = parts;
        this.tasks = tasks;
        this.deployments = deployments;
    }

    /**
     * Starts a shard for each processor.
     *
     * @param index of what is in the log
     * @param policy the rules in force, whenever they are asked for; called on all shards at once
     * @param quotas how many tasks run and wait, and how fast they may write
     * @param forced whether a power cut must take none of those that wait
     * @param data the folder in which it is noted which tasks live and which wait
     */
    public static Future<PumpDeployment> start(
            Vertx vertx,
            FrameLog log,
            TaskIndex index,
            ArtifactStore artifacts,
            Spawner spawner,
            Supplier<Policy> policy,
            Quotas quotas,
            boolean forced,
            Path data,
            Path workspace) {
        Path live = data.resolve("live");
        return vertx.executeBlocking(() -> new TaskParts(
                        log,
                        index,
                        artifacts,
                        spawner,
                        policy,
                        new LiveTasks(live),
                        new EndedStates(),
                        new Lanes(quotas),
                        new QueueFolder(data.resolve("queue"), live, forced),
                        workspace,
                        vertx.createSharedWorkerExecutor("penstock-floods", FLOODS_AT_ONCE),
                        quotas.outputRate(),
                        System::currentTimeMillis))
                .map(Objects::requireNonNull)
                .compose(parts -> {
                    var left = new LeftTasks(vertx, parts);
                    return left.endAll().compose(ended -> deploy(vertx, parts, left));
                });
    }

    private static Future<PumpDeployment> deploy(Vertx vertx, TaskParts parts, LeftTasks left) {
        var shards = new ArrayList<PumpVerticle>();
        var deploying = new ArrayList<Future<String>>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            var shard = new PumpVerticle(parts);
            shards.add(shard);
            deploying.add(vertx.deployVerticle(shard));
        }
        return Future.all(deploying)
                .map(all -> new PumpDeployment(vertx, parts, new TaskApi(vertx, parts, shards), all.list()))
                .compose(pumps -> new LeftQueue(vertx, parts, left, pumps.tasks::shardOf)
                        .takeUp()
                        .map(pumps));
    }

    public TaskApi tasks() {
        return tasks;
    }

    /** Who runs and who waits. */
    public Lanes lanes() {
        return parts.lanes();
    }

    /** Stops all tasks that are started and waits for their ends. Who waits for a turn goes on waiting. */
    public Future<Void> stop() {
        parts.lanes().close();
        return Future.join(deployments.stream().map(vertx::undeploy).toList())
                .eventually(() -> parts.floods().close())
                .mapEmpty();
    }
}
