package io.penstock.engine.launch;

import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.ExecutionMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The environment of a task's program: the requested variables, and few of the server's, so that no secret leaks. */
final class CleanEnvironment {

    private static final Set<String> PASSED_ON = Set.of("PATH", "HOME", "LANG", "USER", "SHELL", "TMPDIR");
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private CleanEnvironment() {}

    static Map<String, String> with(Map<String, String> requested, ExecutionMode mode, String taskId) {
        var environment = new HashMap<String, String>();
        System.getenv().forEach((name, value) -> {
            if (PASSED_ON.contains(name) || name.startsWith("LC_")) {
                environment.put(name, value);
            }
        });
        environment.putIfAbsent("PATH", DEFAULT_PATH);
        environment.put("TERM", mode == ExecutionMode.PTY ? "xterm-256color" : "dumb");
        environment.putAll(requested);
        environment.put(SpawnRequest.MARK, taskId);
        return environment;
    }
}
