package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.Containment;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shows with a real child that programs can be started in cgroups here and ended by them. */
final class CgroupProbe {
    private CgroupProbe() {}

    static boolean succeeds(Cgroups cgroups) {
        try {
            // It waits for input that never comes.
            var request =
                    SpawnRequest.pipes(List.of("cat"), Map.of(), Path.of("/")).withInput();
            LinuxProcess child = LinuxProcess.start(request, Optional.of(cgroups), Optional.empty());
            try {
                return child.containment() == Containment.CGROUP
                        && child.group().holdsLeader();
            } finally {
                child.group().killAll();
                Children.reap(child.group().leader());
                child.group().leaderIsReaped();
                child.group().release();
                Set<Integer> descriptors = new HashSet<>(child.outputs().values());
                descriptors.add(child.input());
                descriptors.add(child.exit());
                descriptors.forEach(Descriptors::close);
            }
        } catch (SpawnFailure | UncheckedIOException e) {
            return false;
        }
    }
}
