package io.penstock.engine.spawn.epoll;

import io.penstock.engine.spawn.Containment;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.engine.spawn.linux.LinuxProcess;
import java.util.Optional;

/** Starts programs by the C library's posix_spawn, and reads them on their owners' event loops. */
public final class NativeSpawner implements Spawner {
    private final Optional<Cgroups> cgroups;

    public NativeSpawner(Optional<Cgroups> cgroups) {
        this.cgroups = cgroups;
    }

    @Override
    public RunningProcess spawn(SpawnRequest request) throws SpawnFailure {
        return new NativeProcess(LinuxProcess.start(request, cgroups));
    }

    @Override
    public Containment containment() {
        return cgroups.isPresent() ? Containment.CGROUP : Containment.SESSION;
    }
}
