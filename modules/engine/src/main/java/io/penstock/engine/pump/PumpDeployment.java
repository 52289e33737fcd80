package io.penstock.engine.pump;

import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.launch.ProgramLauncher;
import io.penstock.engine.launch.SpawnVerticle;
import io.penstock.engine.launch.TaskFolders;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.recovery.AgentResume;
import io.penstock.engine.recovery.LostTask;
import io.penstock.engine.recovery.LostTaskRecovery;
import io.penstock.engine.recovery.QueueRecovery;
import io.penstock.engine.recovery.TaskResumer;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.engine.task.OpenQuestions;
import io.penstock.engine.task.TaskAddresses;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.agent.AgentServices;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The deployed shards of a node. No program is started before the {@link #lanes} are opened. */
public final class PumpDeployment {

    /** Floods that are stored at the same time; all of them wait for the same disk. */
    private static final int FLOODS_AT_ONCE = 4;

    /** Tasks whose watchers are matched at the same time: a thread for each processor, which does nothing else. */
    private static final int MATCHING_AT_ONCE = Runtime.getRuntime().availableProcessors();

    /** As long as killing them may take; the next start ends the tasks that are left then. */
    private static final long LOST_ENDED_WITHIN_MS = 10_000;

    private final Vertx vertx;
    private final TaskServices services;
    private final TaskApi tasks;
    private final AgentApi agents;
    private final String deployment;
    private final String launches;
    private final Future<Void> lostEnded;

    private PumpDeployment(
            Vertx vertx,
            TaskServices services,
            TaskApi tasks,
            AgentApi agents,
            String deployment,
            String launches,
            Future<Void> lostEnded) {
        this.vertx = vertx;
        this.services = services;
        this.tasks = tasks;
        this.agents = agents;
        this.deployment = deployment;
        this.launches = launches;
        this.lostEnded = lostEnded;
    }

    /**
     * Deploys a shard for each processor and resumes the queued tasks of an earlier server. Those that it ran are ended, or queued again, afterwards.
     *
     * @param index finds tasks in the log
     * @param sessions records what happens to their tasks
     * @param policy the rules in force, asked for each operation on a task; called on all shards at once
     * @param forced whether queued tasks must survive a power cut
     * @param descriptors whether there are file descriptors for one more program
     * @param data the folder with the files of live and queued tasks
     * @param workspace the folder that all tasks work in or below
     * @param profiles the agent programs that may be run
     * @param usage measures what the tasks' processes use; stays open
     */
    public static Future<PumpDeployment> start(
            Vertx vertx,
            FrameLog log,
            TaskIndex index,
            SessionApi sessions,
            ArtifactStore artifacts,
            Spawner spawner,
            Supplier<Policy> policy,
            Quotas quotas,
            boolean forced,
            DescriptorBudget descriptors,
            Path data,
            Path workspace,
            AgentProfiles profiles,
            UsageSampler usage) {
        return BlockingSteps.run(() -> {
            TaskFolders folders = TaskFolders.open(data, forced);
            var children = new AgentChildren(workspace);
            var wakes = new AgentWakes();
            var services = new TaskServices(
                    log,
                    artifacts,
                    policy,
                    new Lanes(quotas),
                    new OpenQuestions(),
                    sessions,
                    descriptors,
                    TaskAddresses.on(vertx.eventBus()),
                    spawner.containment(),
                    vertx.createSharedWorkerExecutor("penstock-floods", FLOODS_AT_ONCE),
                    vertx.createSharedWorkerExecutor("penstock-matching", MATCHING_AT_ONCE),
                    quotas.outputRate(),
                    usage,
                    new AgentServices(profiles, workspace, children, wakes),
                    System::currentTimeMillis);
            var launcher = new ProgramLauncher(spawner, folders, workspace, profiles);
            String launches = vertx.deployVerticle(new SpawnVerticle(launcher)).await();
            return deploy(vertx, services, folders, index, launches, children, wakes);
        });
    }

    private static PumpDeployment deploy(
            Vertx vertx,
            TaskServices services,
            TaskFolders folders,
            TaskIndex index,
            String launches,
            AgentChildren children,
            AgentWakes wakes)
            throws IOException {
        var lostTasks = new LostTaskRecovery(vertx, services, folders);
        // Before a new task has a file among them.
        List<OrphanSession> orphans = lostTasks.find();
        List<String> addresses = IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .mapToObj(Shards::address)
                .toList();
        var ended = new EndedStateCache();
        Iterator<String> next = addresses.iterator();
        String deployment = vertx.deployVerticle(
                        () -> new PumpVerticle(services, ended, next.next()),
                        new DeploymentOptions().setInstances(addresses.size()))
                .await();
        var shards = new Shards(vertx.eventBus(), addresses);
        TaskResumer resumer = task -> shards.request(task.taskId(), new ShardRequest.Resume(task));
        var tasks = new TaskApi(vertx, services, index, ended, shards);
        var agents = new AgentApi(services, tasks, new AgentResume(services, folders, resumer, tasks::settled), shards);
        children.connect(tasks);
        wakes.connect(agents, services);
        var queue = new QueueRecovery(vertx, services, folders, lostTasks, resumer);
        List<LostTask> lost = queue.resumeAll(orphans);
        Future<Void> lostEnded = BlockingSteps.run(() -> {
            lostTasks.endAll(lost, queue::resume);
            return null;
        });
        return new PumpDeployment(vertx, services, tasks, agents, deployment, launches, lostEnded);
    }

    public TaskApi tasks() {
        return tasks;
    }

    public AgentApi agents() {
        return agents;
    }

    public DescriptorBudget descriptors() {
        return services.descriptors();
    }

    /** Which tasks run and which are queued. */
    public Lanes lanes() {
        return services.lanes();
    }

    /** Stops all running tasks and waits for their ends. Queued tasks stay queued for the next server. */
    public Future<Void> stop() {
        services.lanes().close();
        return vertx.undeploy(deployment)
                // After the last end, which removes the file of its task.
                .eventually(() -> vertx.undeploy(launches))
                .eventually(() -> lostEnded.timeout(LOST_ENDED_WITHIN_MS, TimeUnit.MILLISECONDS))
                .eventually(() -> services.floods().close())
                .eventually(() -> services.matching().close())
                .mapEmpty();
    }
}
