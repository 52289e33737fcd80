package io.penstock.engine;

import io.penstock.engine.artifact.ArtifactVerticle;
import io.penstock.engine.bus.BusCodecs;
import io.penstock.engine.bus.BusVerticle;
import io.penstock.engine.bus.FramePublisher;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LogVerticle;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.policy.PolicyStatus;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.policy.WebhookGate;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.retention.Janitor;
import io.penstock.engine.screen.ScreenUpdater;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.sink.SinkDispatcher;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.frames.Containment;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The engine, put together: the log, the artifacts, the spawner, the policy, and the shards that run tasks. */
public final class Engine {

    private final Vertx vertx;
    /** In the order of deployment; the last is the bus, on which nothing depends. */
    private final List<String> deployments;

    private final Ledger ledger;
    private final ChosenSpawner spawn;
    private final PolicyVerticle policy;
    private final PumpDeployment pumps;
    private final Screens screens;
    private final SessionApi sessions;
    private final SinkDispatcher sinks;
    private final Janitor janitor;
    private final UsageSampler usage;

    private Engine(
            Vertx vertx,
            List<String> deployments,
            Ledger ledger,
            ChosenSpawner spawn,
            PolicyVerticle policy,
            PumpDeployment pumps,
            Screens screens,
            SessionApi sessions,
            SinkDispatcher sinks,
            Janitor janitor,
            UsageSampler usage) {
        this.vertx = vertx;
        this.deployments = List.copyOf(deployments);
        this.ledger = ledger;
        this.spawn = spawn;
        this.policy = policy;
        this.pumps = pumps;
        this.screens = screens;
        this.sessions = sessions;
        this.sinks = sinks;
        this.janitor = janitor;
        this.usage = usage;
    }

    /**
     * Completes when tasks are accepted and started; the tasks that a dead server left are ended from then on. Fails with a sentence
     * for people.
     */
    public static Future<Engine> start(Vertx vertx, EngineSettings settings) {
        return startPaused(vertx, settings).onSuccess(engine -> engine.lanes().open());
    }

    /** Starts an engine that accepts tasks, but starts no program before its {@link #lanes} are opened. */
    public static Future<Engine> startPaused(Vertx vertx, EngineSettings settings) {
        EventBus bus = vertx.eventBus();
        BusCodecs.add(bus);
        return BlockingSteps.run(() -> startInOrder(vertx, settings)).onFailure(e -> BusCodecs.remove(bus));
    }

    private static Engine startInOrder(Vertx vertx, EngineSettings settings) throws IOException {
        var deployments = new ArrayList<String>();
        var policy = new PolicyVerticle(settings.policy());
        deployments.add(vertx.deployVerticle(policy).await());
        var spawn = new ChosenSpawner(settings.spawner());
        deployments.add(vertx.deployVerticle(spawn).await());

        // The artifacts before the log: on a full disk they give back the room that the log needs.
        DescriptorBudget descriptors = settings.descriptors();
        var artifacts = new ArtifactVerticle(
                settings.log().data().resolve("artifacts"),
                settings.retention().outputs(),
                descriptors.files(Limits.ARTIFACT_OPEN_FILES),
                descriptors.files(Limits.ARTIFACT_READ_FILES),
                settings.diskReserveBytes());
        deployments.add(vertx.deployVerticle(artifacts).await());
        var log = new LogVerticle(settings.log());
        deployments.add(vertx.deployVerticle(log).await());
        Ledger ledger = log.ledger();
        Janitor janitor = Janitor.of(
                vertx,
                ledger.retention(),
                settings.retention(),
                settings.log().database() == null,
                artifacts.artifacts(),
                settings.log().data());
        janitor.makeRoom();

        var screenUpdater = new ScreenUpdater();
        var sinks = new SinkDispatcher(settings.sinks());
        List<FrameListener.Source> listeners = Stream.concat(
                        Stream.of(new FramePublisher(vertx), screenUpdater, sinks), settings.listeners().stream())
                .toList();
        var frames = new ListenedLog(ledger.frames(), listeners);
        SessionApi sessions = SessionApi.deploy(vertx, frames, ledger.sessions(), System::currentTimeMillis)
                .await();
        deployments.addAll(sessions.deployments());
        UsageSampler usage = settings.taskUsage() ? UsageSampler.ofThisMachine() : UsageSampler.off();
        PumpDeployment pumps = PumpDeployment.start(
                        vertx,
                        frames,
                        ledger.tasks(),
                        sessions,
                        artifacts.artifacts(),
                        spawn.spawner(),
                        policy::inForce,
                        settings.quotas(),
                        settings.log().fsync() instanceof Fsync.Always,
                        descriptors,
                        settings.log().data(),
                        settings.workspace(),
                        settings.agents(),
                        usage)
                .await();
        deployments.add(
                vertx.deployVerticle(new BusVerticle(pumps.tasks(), sessions)).await());
        Screens screens = Screens.open(vertx, ledger.frames(), artifacts.artifacts(), screenUpdater);
        sinks.start(pumps.tasks());
        janitor.whenRemoved(pumps.tasks()::forgetEnded);
        janitor.start();
        return new Engine(vertx, deployments, ledger, spawn, policy, pumps, screens, sessions, sinks, janitor, usage);
    }

    private Future<?> undeploy(List<String> ids) {
        Future<?> gone = Future.succeededFuture();
        for (String id : ids.reversed()) {
            gone = gone.eventually(() -> vertx.undeploy(id));
        }
        return gone;
    }

    public TaskApi tasks() {
        return pumps.tasks();
    }

    public AgentApi agents() {
        return pumps.agents();
    }

    /** Which tasks run and which are queued. */
    public Lanes lanes() {
        return pumps.lanes();
    }

    /** Whether there are descriptors for another task or connection. */
    public DescriptorBudget descriptors() {
        return pumps.descriptors();
    }

    public Screens screens() {
        return screens;
    }

    /** Sessions and their mailboxes. */
    public SessionApi sessions() {
        return sessions;
    }

    /** What retention has removed. */
    public Janitor janitor() {
        return janitor;
    }

    public Ledger ledger() {
        return ledger;
    }

    /** How reliably everything that a task starts can be found and killed on this machine. */
    public Containment containment() {
        return spawn.spawner().containment();
    }

    /** Why programs are started by pty4j although it was not requested; empty if they are not. */
    public Optional<String> whyNotNative() {
        return spawn.whyNotNative();
    }

    public PolicyStatus policy() {
        return policy.status();
    }

    /** Where the items of mailboxes may be sent. */
    public WebhookGate webhookGate() {
        return new WebhookGate(policy::inForce);
    }

    /** Stops the tasks and waits for their ends, then stops everything else in reverse order of the start. */
    public Future<Void> stop() {
        janitor.stop();
        return vertx.undeploy(deployments.getLast())
                .eventually(pumps::stop)
                .onComplete(stopped -> usage.close())
                .eventually(() -> BlockingSteps.run(() -> {
                    sinks.stop();
                    return null;
                }))
                .eventually(screens::close)
                .eventually(() -> undeploy(deployments.subList(0, deployments.size() - 1)))
                .onComplete(stopped -> BusCodecs.remove(vertx.eventBus()));
    }
}
