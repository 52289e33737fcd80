package io.penstock.engine;

import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.engine.spawn.pty4j.Pty4jSpawner;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owns the way in which programs are started, and the folder of cgroups that they are started in. Shards call the spawner itself, on
 * workers: a message to here and back would only add a hop to each start.
 */
public final class SpawnVerticle extends VerticleBase {

    private final SpawnerChoice choice;
    private Optional<Cgroups> cgroups = Optional.empty();
    private @Nullable Spawner spawner;
    private Optional<String> whyNotNative = Optional.empty();

    public SpawnVerticle(SpawnerChoice choice) {
        this.choice = choice;
    }

    /** Once this is deployed. */
    public Spawner spawner() {
        Spawner chosen = spawner;
        if (chosen == null) {
            throw new IllegalStateException("The spawner is chosen when this verticle starts");
        }
        return chosen;
    }

    /** Why programs are not started natively though nobody asked for another way; empty where they are, or were not to be. */
    public Optional<String> whyNotNative() {
        return whyNotNative;
    }

    /** Fails with a sentence where the way that was asked for does not work. */
    @Override
    public Future<?> start() {
        Optional<String> hindrance = NativeSpawner.whyNot(vertx);
        return switch (choice) {
            case PTY4J -> byThreads();
            case NATIVE ->
                hindrance.isEmpty()
                        ? natively()
                        : Future.failedFuture(new Failure(
                                FailureCode.INVALID_REQUEST,
                                hindrance.get() + " Leave --spawner native out, or say --spawner pty4j."));
            case AUTOMATIC -> {
                whyNotNative = hindrance;
                yield hindrance.isEmpty() ? natively() : byThreads();
            }
        };
    }

    private Future<?> byThreads() {
        spawner = new Pty4jSpawner();
        return Future.succeededFuture();
    }

    private Future<?> natively() {
        return vertx.executeBlocking(() -> {
            cgroups = Cgroups.open();
            spawner = new NativeSpawner(cgroups);
            return null;
        });
    }

    /** After the last task has ended: what lives on in a cgroup is left for the next start. */
    @Override
    public Future<?> stop() {
        return vertx.executeBlocking(() -> {
            cgroups.ifPresent(Cgroups::close);
            return null;
        });
    }
}
