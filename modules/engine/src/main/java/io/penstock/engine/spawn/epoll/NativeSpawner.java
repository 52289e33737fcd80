package io.penstock.engine.spawn.epoll;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.Adoption;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.engine.spawn.linux.LinuxProcess;
import io.penstock.engine.spawn.linux.Platform;
import io.penstock.frames.Containment;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Starts programs by the C library's posix_spawn, and reads them on their owners' event loops. */
public final class NativeSpawner implements Spawner {
    private final Optional<Cgroups> cgroups;
    private final Optional<Adoption> adoption;

    /** Without cgroups, what programs leave is adopted, where the kernel can do that. */
    public NativeSpawner(Optional<Cgroups> cgroups) {
        this(cgroups, cgroups.isPresent() ? Optional.empty() : Adoption.ofThisProcess());
    }

    /** With what it is told to have. */
    public NativeSpawner(Optional<Cgroups> cgroups, Optional<Adoption> adoption) {
        this.cgroups = cgroups;
        this.adoption = adoption;
    }

    /** Why programs cannot be started natively and owned by this Vert.x, in a sentence; empty where they can. */
    public static Optional<String> whyNot(Vertx vertx) {
        return Platform.whyNot()
                .or(
                        () -> vertx.isNativeTransportEnabled()
                                ? Optional.empty()
                                : Optional.of(
                                        "The native spawner needs event loops that use epoll, but Vert.x has none: start it"
                                                + " with setPreferNativeTransport(true) and Netty's epoll natives on the classpath."));
    }

    @Override
    public RunningProcess spawn(SpawnRequest request) throws SpawnFailure {
        return new NativeProcess(LinuxProcess.start(request, cgroups, adoption));
    }

    @Override
    public Containment containment() {
        return cgroups.isPresent()
                ? Containment.CGROUP
                : adoption.isPresent() ? Containment.ADOPTION : Containment.SESSION;
    }
}
