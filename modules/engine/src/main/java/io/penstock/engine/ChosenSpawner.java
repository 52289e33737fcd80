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

/** Chooses the spawner that works on this machine, and owns its cgroups. */
public final class ChosenSpawner extends VerticleBase {

    private final SpawnerChoice choice;
    private Optional<Cgroups> cgroups = Optional.empty();
    private @Nullable Spawner spawner;
    private Optional<String> whyNotNative = Optional.empty();

    public ChosenSpawner(SpawnerChoice choice) {
        this.choice = choice;
    }

    /** The spawner, once this verticle is deployed. */
    public Spawner spawner() {
        Spawner chosen = spawner;
        if (chosen == null) {
            throw new IllegalStateException("The spawner is chosen when this verticle starts");
        }
        return chosen;
    }

    /** Why programs are started by pty4j although it was not requested; empty if they are not. */
    public Optional<String> whyNotNative() {
        return whyNotNative;
    }

    /** Fails with a sentence if the requested spawner does not work here. */
    @Override
    public Future<?> start() {
        Optional<String> hindrance = NativeSpawner.whyNot(vertx);
        return switch (choice) {
            case PTY4J -> usePty4j();
            case NATIVE ->
                hindrance.isEmpty()
                        ? useNative()
                        : Future.failedFuture(new Failure(
                                FailureCode.INVALID_REQUEST,
                                hindrance.get() + " Leave out --spawner native, or use --spawner pty4j."));
            case AUTOMATIC -> {
                whyNotNative = hindrance;
                yield hindrance.isEmpty() ? useNative() : usePty4j();
            }
        };
    }

    private Future<?> usePty4j() {
        spawner = new Pty4jSpawner();
        return Future.succeededFuture();
    }

    private Future<?> useNative() {
        return vertx.executeBlocking(() -> {
            cgroups = Cgroups.open();
            spawner = new NativeSpawner(cgroups);
            return null;
        });
    }

    /** Called after the last task has ended; a cgroup with surviving processes is left to the next start. */
    @Override
    public Future<?> stop() {
        return vertx.executeBlocking(() -> {
            cgroups.ifPresent(Cgroups::close);
            return null;
        });
    }
}
