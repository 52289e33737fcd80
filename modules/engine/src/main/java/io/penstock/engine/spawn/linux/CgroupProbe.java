package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.linux.libc.Children;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.frames.Containment;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tests with a real child whether programs can be started in cgroups here and killed through them. */
final class CgroupProbe {
    private CgroupProbe() {}

    static boolean succeeds(Cgroups cgroups) {
        try {
            // The child waits for input that never comes.
            var request =
                    SpawnRequest.pipes(List.of("cat"), Map.of(), Path.of("/")).withInput();
            LinuxProcess child = LinuxProcess.start(request, Optional.of(cgroups), Optional.empty());
            try {
                return child.containment() == Containment.CGROUP
                        && child.group().holdsLeader();
            } finally {
                child.group().killAll();
                Children.reap(child.group().leader());
                child.group().setLeaderReaped();
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
