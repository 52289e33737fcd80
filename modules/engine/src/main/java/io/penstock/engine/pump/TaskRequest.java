package io.penstock.engine.pump;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.Limits;
import io.penstock.frames.RecordInput;
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
 * @param recordInput which input is to be recorded, unless the policy's rule says which
 * @param keep which bytes of an output are kept that has more than {@code artifactMaxBytes}
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
        Actor actor,
        RecordInput recordInput,
        Keep keep) {

    public TaskRequest {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A timeout is more than nothing, not " + timeout);
        }
    }

    /**
     * Starts a request with the usual values for all that is not said: pipes, no title, the usual limits, an hour.
     *
     * @param toolName recorded as the task's tool
     * @param command the program and its arguments
     */
    public static Builder builder(String toolName, List<String> command, Actor actor) {
        return new Builder(toolName, command, actor);
    }

    /** Collects what a request says; used by one thread. */
    public static final class Builder {

        private static final Duration USUAL_TIMEOUT = Duration.ofHours(1);

        private final String toolName;
        private final List<String> command;
        private final Actor actor;
        private JsonText args = JsonText.EMPTY;
        private Map<String, String> environment = Map.of();
        private @Nullable String cwd;
        private @Nullable String title;
        private @Nullable TaskLabel label;
        private ExecutionMode mode = ExecutionMode.PIPES;
        private TerminalSize size = TerminalSize.DEFAULT;
        private @Nullable String originSessionId;
        private @Nullable Long artifactMaxBytes = Limits.ARTIFACT_BYTES;
        private @Nullable Long maxBytes = Limits.PREVIEW_BYTES;
        private Duration timeout = USUAL_TIMEOUT;
        private RecordInput recordInput = RecordInput.DEFAULT;
        private @Nullable Keep keep;

        private Builder(String toolName, List<String> command, Actor actor) {
            this.toolName = toolName;
            this.command = command;
            this.actor = actor;
        }

        /** The arguments as they are recorded; never the values of environment variables. */
        public Builder args(JsonText recorded) {
            this.args = recorded;
            return this;
        }

        public Builder environment(Map<String, String> added) {
            this.environment = added;
            return this;
        }

        public Builder cwd(@Nullable String relative) {
            this.cwd = relative;
            return this;
        }

        public Builder title(@Nullable String text) {
            this.title = text;
            return this;
        }

        public Builder label(@Nullable TaskLabel name) {
            this.label = name;
            return this;
        }

        public Builder mode(ExecutionMode pipesOrPty) {
            this.mode = pipesOrPty;
            return this;
        }

        /** Runs the program on a terminal of this size. */
        public Builder terminal(TerminalSize rowsAndCols) {
            this.mode = ExecutionMode.PTY;
            this.size = rowsAndCols;
            return this;
        }

        public Builder size(TerminalSize rowsAndCols) {
            this.size = rowsAndCols;
            return this;
        }

        public Builder originSessionId(@Nullable String id) {
            this.originSessionId = id;
            return this;
        }

        public Builder artifactMaxBytes(@Nullable Long bytes) {
            this.artifactMaxBytes = bytes;
            return this;
        }

        public Builder maxBytes(@Nullable Long bytes) {
            this.maxBytes = bytes;
            return this;
        }

        public Builder timeout(Duration time) {
            this.timeout = time;
            return this;
        }

        public Builder recordInput(RecordInput which) {
            this.recordInput = which;
            return this;
        }

        public Builder keep(Keep which) {
            this.keep = which;
            return this;
        }

        public TaskRequest build() {
            return new TaskRequest(
                    toolName,
                    args,
                    command,
                    environment,
                    cwd,
                    title,
                    label,
                    mode,
                    size,
                    originSessionId,
                    artifactMaxBytes,
                    maxBytes,
                    timeout,
                    actor,
                    recordInput,
                    keep == null ? Keep.usual(mode) : keep);
        }
    }
}
