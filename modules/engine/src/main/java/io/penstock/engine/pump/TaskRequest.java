package io.penstock.engine.pump;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.TaskLabel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody wants run.
 *
 * @param args what the tool was asked for, as it is recorded: names of environment variables, never their values
 * @param command the program and its arguments
 * @param environment added to the clean one
 * @param cwd relative to the workspace; null is the workspace itself
 * @param label what its session calls it
 * @param artifactMaxBytes stored of each output at most; null is without limit
 * @param maxBytes previewed of each output at most; null is without limit
 */
public record TaskRequest(
        String toolName,
        JsonText args,
        List<String> command,
        Map<String, String> environment,
        @Nullable String cwd,
        @Nullable String title,
        @Nullable TaskLabel label,
        ExecutionMode mode,
        TerminalSize size,
        @Nullable String originSessionId,
        @Nullable Long artifactMaxBytes,
        @Nullable Long maxBytes,
        Duration timeout,
        Actor actor) {

    public TaskRequest {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A timeout is more than nothing, not " + timeout);
        }
    }
}
