package io.penstock.engine.pump;

import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.ExecutionMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What a task's program finds in its environment: little of the server's, so that no secret of it gets there, and what was asked. */
final class CleanEnvironment {

    private static final Set<String> PASSED_ON = Set.of("PATH", "HOME", "LANG", "USER", "SHELL", "TMPDIR");
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private CleanEnvironment() {}

    static Map<String, String> with(Map<String, String> asked, ExecutionMode mode, String taskId) {
        var environment = new HashMap<String, String>();
        System.getenv().forEach((name, value) -> {
            if (PASSED_ON.contains(name) || name.startsWith("LC_")) {
                environment.put(name, value);
            }
        });
        environment.putIfAbsent("PATH", USUAL_PATH);
        environment.put("TERM", mode == ExecutionMode.PTY ? "xterm-256color" : "dumb");
        environment.putAll(asked);
        environment.put(SpawnRequest.MARK, taskId);
        return environment;
    }
}
