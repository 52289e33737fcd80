package io.penstock.engine.spawn;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Run in a JVM with few descriptors: starts programs until it fails, and another one after they have ended. */
final class ExhaustDescriptors {
    private ExhaustDescriptors() {}

    public static void main(String[] arguments) throws Exception {
        Spawner spawner = new NativeSpawner(Optional.empty());
        var pipes = SpawnRequest.pipes(List.of("cat"), Map.of(), Path.of("/")).withInput();
        var terminal = SpawnRequest.terminal(List.of("cat"), Map.of(), Path.of("/"), TerminalSize.DEFAULT);
        List<RunningProcess> running = new ArrayList<>();
        spawner.spawn(pipes).close();
        int open = descriptors();
        for (SpawnRequest request : List.of(pipes, terminal)) {
            try {
                while (true) {
                    running.add(spawner.spawn(request));
                }
            } catch (SpawnFailure e) {
                System.out.println(e.reason() + " " + e.getMessage());
            }
        }
        running.forEach(RunningProcess::close);
        Eventually.holds("all are closed", () -> descriptors() <= open);
        spawner.spawn(terminal).close();
        System.out.println("recovered");
    }

    private static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }
}
