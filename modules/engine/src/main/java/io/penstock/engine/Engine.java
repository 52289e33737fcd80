package io.penstock.engine;

import io.penstock.engine.artifact.ArtifactVerticle;
import io.penstock.engine.bus.BusCodecs;
import io.penstock.engine.bus.BusVerticle;
import io.penstock.engine.bus.FramePublisher;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.log.Ledger;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.LogVerticle;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.spawn.Containment;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The engine, put together: the log, the artifacts, the spawner, and the shards that run tasks. */
public final class Engine {

    private final Vertx vertx;
    private final String logDeployment;
    private final String busDeployment;
    private final Ledger ledger;
    private final String artifactDeployment;
    private final Spawner spawner;
    private final PumpDeployment pumps;

    private Engine(
            Vertx vertx,
            String logDeployment,
            String busDeployment,
            Ledger ledger,
            String artifactDeployment,
            Spawner spawner,
            PumpDeployment pumps) {
        this.vertx = vertx;
        this.logDeployment = logDeployment;
        this.busDeployment = busDeployment;
        this.ledger = ledger;
        this.artifactDeployment = artifactDeployment;
        this.spawner = spawner;
        this.pumps = pumps;
    }

    /** Completes when tasks can be run, and those that a dead server left have been ended. Fails with a sentence for people. */
    public static Future<Engine> start(Vertx vertx, EngineSettings settings) {
        EventBus bus = vertx.eventBus();
        BusCodecs.add(bus);
        return startOn(vertx, bus, settings).onFailure(e -> BusCodecs.remove(bus));
    }

    private static Future<Engine> startOn(Vertx vertx, EventBus bus, EngineSettings settings) {
        var log = new LogVerticle(settings.log());
        List<FrameListener.Source> listeners = Stream.concat(
                        Stream.of(new FramePublisher(bus)), settings.listeners().stream())
                .toList();
        var artifacts = new ArtifactVerticle(settings.log().data().resolve("artifacts"), settings.keepOutputs());
        return vertx.deployVerticle(log)
                .compose(logDeployment -> vertx.deployVerticle(artifacts)
                        .compose(artifactDeployment -> vertx.executeBlocking(Engine::newSpawner)
                                .map(Objects::requireNonNull)
                                .compose(spawner -> PumpDeployment.start(
                                                vertx,
                                                new ListenedLog(log.ledger().frames(), listeners),
                                                log.ledger().tasks(),
                                                artifacts.artifacts(),
                                                spawner,
                                                settings.log().data().resolve("live"),
                                                settings.workspace())
                                        .compose(pumps -> vertx.deployVerticle(new BusVerticle(pumps.tasks()))
                                                .map(busDeployment -> new Engine(
                                                        vertx,
                                                        logDeployment,
                                                        busDeployment,
                                                        log.ledger(),
                                                        artifactDeployment,
                                                        spawner,
                                                        pumps))))));
    }

    private static Spawner newSpawner() {
        return new NativeSpawner(Cgroups.open());
    }

    public TaskApi tasks() {
        return pumps.tasks();
    }

    public Ledger ledger() {
        return ledger;
    }

    /** How surely all that a task starts can be found and ended, on this machine. */
    public Containment containment() {
        return spawner.containment();
    }

    /** Stops the tasks, and waits for their ends; then what keeps them. */
    public Future<Void> stop() {
        return vertx.undeploy(busDeployment)
                .eventually(pumps::stop)
                .eventually(() -> vertx.undeploy(artifactDeployment))
                .eventually(() -> vertx.undeploy(logDeployment))
                .onComplete(stopped -> BusCodecs.remove(vertx.eventBus()));
    }
}
