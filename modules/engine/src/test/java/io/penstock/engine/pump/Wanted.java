package io.penstock.engine.pump;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task that a test asks for; what it does not say is as usual. */
record Wanted(
        List<String> command,
        ExecutionMode mode,
        Map<String, String> environment,
        @Nullable String cwd,
        long artifactMaxBytes,
        Duration timeout) {

    static Wanted bash(String command, ExecutionMode mode) {
        return program(mode, "/bin/bash", "-c", command);
    }

    static Wanted program(ExecutionMode mode, String... command) {
        return new Wanted(List.of(command), mode, Map.of(), null, 16L << 20, Duration.ofSeconds(60));
    }

    Wanted in(String folder) {
        return new Wanted(command, mode, environment, folder, artifactMaxBytes, timeout);
    }

    Wanted storing(long maxBytes) {
        return new Wanted(command, mode, environment, cwd, maxBytes, timeout);
    }

    Wanted within(Duration time) {
        return new Wanted(command, mode, environment, cwd, artifactMaxBytes, time);
    }

    TaskRequest request() {
        return new TaskRequest(
                "bash",
                new JsonText("{}"),
                command,
                environment,
                cwd,
                null,
                null,
                mode,
                TerminalSize.USUAL,
                null,
                artifactMaxBytes,
                512L << 10,
                timeout,
                Actor.user("tester"));
    }
}
