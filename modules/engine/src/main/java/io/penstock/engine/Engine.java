package io.penstock.engine;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.Ledger;
import io.penstock.engine.log.LogVerticle;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Containment;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The engine, put together: the log, the artifacts, the spawner, the policy, and the shards that run tasks. */
public final class Engine {

    private final Vertx vertx;
    private final List<String> deployments;
    private final Ledger ledger;
    private final ArtifactStore artifacts;
    private final SpawnVerticle spawn;
    private final PumpDeployment pumps;

    private Engine(
            Vertx vertx,
            List<String> deployments,
            Ledger ledger,
            ArtifactStore artifacts,
            SpawnVerticle spawn,
            PumpDeployment pumps) {
        this.vertx = vertx;
        this.deployments = List.copyOf(deployments);
        this.ledger = ledger;
        this.artifacts = artifacts;
        this.spawn = spawn;
        this.pumps = pumps;
    }

    /** Completes when tasks can be run, and those that a dead server left have been ended. Fails with a sentence for people. */
    public static Future<Engine> start(Vertx vertx, EngineSettings settings) {
        var policy = new PolicyVerticle(Policy.LOCAL);
        var spawn = new SpawnVerticle(settings.spawner());
        var log = new LogVerticle(settings.log());
        return deploy(vertx, policy, spawn, log)
                .compose(deployments -> artifacts(vertx, settings)
                        .compose(artifacts -> PumpDeployment.start(
                                        vertx,
                                        log.ledger().frames(),
                                        log.ledger().tasks(),
                                        artifacts,
                                        spawn.spawner(),
                                        policy::inForce,
                                        settings.log().data().resolve("live"),
                                        settings.workspace())
                                .map(pumps -> new Engine(vertx, deployments, log.ledger(), artifacts, spawn, pumps))));
    }

    /** One after the other: what fails keeps those behind it from being begun. */
    private static Future<List<String>> deploy(Vertx vertx, Deployable... verticles) {
        var ids = new ArrayList<String>();
        Future<?> deployed = Future.succeededFuture();
        for (Deployable verticle : verticles) {
            deployed = deployed.compose(before -> vertx.deployVerticle(verticle).onSuccess(ids::add));
        }
        return deployed.map(all -> ids);
    }

    private static Future<ArtifactStore> artifacts(Vertx vertx, EngineSettings settings) {
        return vertx.executeBlocking(
                        () -> ArtifactStore.open(settings.log().data().resolve("artifacts")))
                .map(Objects::requireNonNull);
    }

    public TaskApi tasks() {
        return pumps.tasks();
    }

    public Ledger ledger() {
        return ledger;
    }

    /** How surely all that a task starts can be found and ended, on this machine. */
    public Containment containment() {
        return spawn.spawner().containment();
    }

    /** Why programs are started by pty4j though nobody asked for it; empty where they are not. */
    public Optional<String> whyNotNative() {
        return spawn.whyNotNative();
    }

    /** Stops the tasks, and waits for their ends; then what keeps them, in the order opposite to the start. */
    public Future<Void> stop() {
        Future<Void> stopped = pumps.stop()
                .eventually(() -> vertx.executeBlocking(() -> {
                    artifacts.close();
                    return null;
                }));
        for (String deployment : deployments.reversed()) {
            stopped = stopped.eventually(() -> vertx.undeploy(deployment));
        }
        return stopped;
    }
}
