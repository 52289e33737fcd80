package io.penstock.engine.pump;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request of a test, with defaults for everything else. */
public record Wanted(
        List<String> command,
        ExecutionMode mode,
        Map<String, String> environment,
        @Nullable String cwd,
        long artifactMaxBytes,
        Duration timeout) {

    public static Wanted bash(String command, ExecutionMode mode) {
        return program(mode, "/bin/bash", "-c", command);
    }

    public static Wanted program(ExecutionMode mode, String... command) {
        return new Wanted(List.of(command), mode, Map.of(), null, 16L << 20, Duration.ofSeconds(60));
    }

    public Wanted in(String folder) {
        return new Wanted(command, mode, environment, folder, artifactMaxBytes, timeout);
    }

    public Wanted storing(long maxBytes) {
        return new Wanted(command, mode, environment, cwd, maxBytes, timeout);
    }

    public Wanted within(Duration time) {
        return new Wanted(command, mode, environment, cwd, artifactMaxBytes, time);
    }

    TaskRequest request() {
        return TaskRequest.builder("bash", command, Actor.user("tester"))
                .environment(environment)
                .cwd(cwd)
                .mode(mode)
                .artifactMaxBytes(artifactMaxBytes)
                .timeout(timeout)
                .build();
    }
}
