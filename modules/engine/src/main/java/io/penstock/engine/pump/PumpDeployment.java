package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.spawn.Spawner;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The shards of a node, deployed, after what a dead server left has been ended. */
public final class PumpDeployment {

    private final Vertx vertx;
    private final TaskApi tasks;
    private final List<String> deployments;

    private PumpDeployment(Vertx vertx, TaskApi tasks, List<String> deployments) {
        this.vertx = vertx;
        this.tasks = tasks;
        this.deployments = deployments;
    }

    /**
     * Starts a shard for each processor.
     *
     * @param index of what is in the log
     * @param policy the rules in force, whenever they are asked for; called on all shards at once
     * @param live where it is noted which tasks live
     * @param outputRate bytes that a task may write in a second; 0 is without limit
     */
    public static Future<PumpDeployment> start(
            Vertx vertx,
            FrameLog log,
            TaskIndex index,
            ArtifactStore artifacts,
            Spawner spawner,
            Supplier<Policy> policy,
            Path live,
            Path workspace,
            long outputRate) {
        return vertx.executeBlocking(() -> new TaskParts(
                        log,
                        index,
                        artifacts,
                        spawner,
                        policy,
                        new LiveTasks(live),
                        workspace,
                        outputRate,
                        System::currentTimeMillis))
                .map(Objects::requireNonNull)
                .compose(parts -> new LeftTasks(vertx, parts).endAll().compose(ended -> deploy(vertx, parts)));
    }

    private static Future<PumpDeployment> deploy(Vertx vertx, TaskParts parts) {
        var shards = new ArrayList<PumpVerticle>();
        var deploying = new ArrayList<Future<String>>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            var shard = new PumpVerticle(parts);
            shards.add(shard);
            deploying.add(vertx.deployVerticle(shard));
        }
        return Future.all(deploying)
                .map(all -> new PumpDeployment(vertx, new TaskApi(vertx, parts, shards), all.list()));
    }

    public TaskApi tasks() {
        return tasks;
    }

    /** Stops all tasks and waits for their ends. */
    public Future<Void> stop() {
        return Future.join(deployments.stream().map(vertx::undeploy).toList()).mapEmpty();
    }
}
