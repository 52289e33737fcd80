package io.penstock.engine.spawn.epoll;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.engine.spawn.linux.LinuxProcess;
import io.penstock.engine.spawn.linux.Subreaper;
import io.penstock.engine.spawn.linux.libc.Platform;
import io.penstock.frames.Containment;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Starts programs with posix_spawn of the C library and reads their output on their owners' event loops. */
public final class NativeSpawner implements Spawner {
    private final Optional<Cgroups> cgroups;
    private final Optional<Subreaper> subreaper;

    /** Without cgroups, orphans of programs are adopted by this process, if the kernel supports that. */
    public NativeSpawner(Optional<Cgroups> cgroups) {
        this(cgroups, cgroups.isPresent() ? Optional.empty() : Subreaper.ofThisProcess());
    }

    /** With the given containment. */
    public NativeSpawner(Optional<Cgroups> cgroups, Optional<Subreaper> subreaper) {
        this.cgroups = cgroups;
        this.subreaper = subreaper;
    }

    /** Why this spawner does not work with this Vert.x, as a sentence; empty if it does. */
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
        return new NativeProcess(LinuxProcess.start(request, cgroups, subreaper));
    }

    @Override
    public Containment containment() {
        return cgroups.isPresent()
                ? Containment.CGROUP
                : subreaper.isPresent() ? Containment.ADOPTION : Containment.SESSION;
    }
}
