package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The shards of a node, deployed: what a dead server left running is being ended, and what it left waiting waits again. Nothing is
 * started before its {@link #lanes} are opened, so that a start that fails after all has begun nothing.
 */
public final class PumpDeployment {

    /** Floods that are stored at the same time; all of them wait for the same disk. */
    private static final int FLOODS_AT_ONCE = 4;

    /** As long as killing them may take; tasks that are not told by then, the next start tells. */
    private static final long LEFT_ENDED_WITHIN_MS = 10_000;

    private final Vertx vertx;
    private final ShardServices parts;
    private final TaskApi tasks;
    private final List<String> deployments;
    private final Future<Void> leftEnded;

    private PumpDeployment(
            Vertx vertx, ShardServices parts, TaskApi tasks, List<String> deployments, Future<Void> leftEnded) {
        this.vertx = vertx;
        this.parts = parts;
        this.tasks = tasks;
        this.deployments = deployments;
        this.leftEnded = leftEnded;
    }

    /**
     * Starts a shard for each processor.
     *
     * @param index of what is in the log
     * @param policy the rules in force, whenever they are asked for; called on all shards at once
     * @param quotas how many tasks run and wait, and how fast they may write
     * @param forced whether a power cut must take none of those that wait
     * @param descriptors whether there are any for one more program
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
            DescriptorBudget descriptors,
            Path data,
            Path workspace) {
        Path live = data.resolve("live");
        return vertx.executeBlocking(() -> new ShardServices(
                        log,
                        index,
                        artifacts,
                        spawner,
                        policy,
                        new LiveTaskFolder(live),
                        new EndedStateCache(),
                        new Lanes(quotas),
                        new QueueFolder(data.resolve("queue"), live, forced),
                        descriptors,
                        workspace,
                        vertx.createSharedWorkerExecutor("penstock-floods", FLOODS_AT_ONCE),
                        quotas.outputRate(),
                        System::currentTimeMillis))
                .map(Objects::requireNonNull)
                .compose(parts -> {
                    var left = new LostTaskRecovery(vertx, parts);
                    // Found before the first new task is noted among them.
                    return left.find().compose(found -> deploy(vertx, parts, left, found));
                });
    }

    private static Future<PumpDeployment> deploy(
            Vertx vertx, ShardServices parts, LostTaskRecovery left, List<OrphanSession> found) {
        EventBus bus = vertx.eventBus();
        List<String> addresses = IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .mapToObj(Shards::address)
                .toList();
        var shards = new Shards(bus, addresses);
        return Future.all(addresses.stream()
                        .map(address -> vertx.deployVerticle(new PumpVerticle(parts, address)))
                        .toList())
                .compose(all -> new QueueRecovery(vertx, parts, left, shards)
                        .takeUp()
                        .map(waiting -> new PumpDeployment(
                                vertx, parts, new TaskApi(vertx, parts, shards), all.list(), left.endAll(found))));
    }

    public TaskApi tasks() {
        return tasks;
    }

    public DescriptorBudget descriptors() {
        return parts.descriptors();
    }

    /** Who runs and who waits. */
    public Lanes lanes() {
        return parts.lanes();
    }

    /** Stops all tasks that are started and waits for their ends. Who waits for a turn goes on waiting. */
    public Future<Void> stop() {
        parts.lanes().close();
        return Future.join(deployments.stream().map(vertx::undeploy).toList())
                .eventually(() -> leftEnded.timeout(LEFT_ENDED_WITHIN_MS, TimeUnit.MILLISECONDS))
                .eventually(() -> parts.floods().close())
                .mapEmpty();
    }
}
