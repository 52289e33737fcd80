package io.penstock.engine.launch;

import io.penstock.engine.session.LaneKey;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Containment;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.Limits;
import io.penstock.frames.LogRef;
import io.penstock.frames.OnLost;
import io.penstock.frames.RecordInput;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.ToolTaskSpawned;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to run a program as a task.
 *
 * @param args the tool's arguments as they are recorded: names of environment variables, never their values
 * @param command the program and its arguments
 * @param environment added to the clean one
 * @param cwd relative to the workspace; null is the workspace itself
 * @param label the session's name for the task
 * @param artifactMaxBytes maximum stored bytes of each output; null for no limit
 * @param maxBytes maximum previewed bytes of each output; null for no limit
 * @param recordInput which input is recorded, unless the policy's rule decides it
 * @param keep which bytes of an output that exceeds {@code artifactMaxBytes} are kept
 * @param serial whether the task runs after the session's other serial tasks, instead of at the same time
 * @param watch the watchers of the task from its first byte on; checked when the task is spawned
 * @param onLost what follows if the server dies during a run; a task with an input ends, because nobody types it again
 * @param stdinOpen whether a task on pipes has an input
 * @param links its relations to other tasks; null without any
 * @param agent the agent of an agent task; null for a task that runs a command
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
        Keep keep,
        boolean serial,
        List<WatchSpec> watch,
        OnLost onLost,
        boolean stdinOpen,
        @Nullable TaskLinks links,
        @Nullable AgentTurn agent) {

    public TaskRequest {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        watch = List.copyOf(watch);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be more than 0, but is " + timeout);
        }
    }

    /** The same request with another first turn. */
    public TaskRequest withAgent(AgentTurn turn) {
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
                keep,
                serial,
                watch,
                onLost,
                stdinOpen,
                links,
                turn);
    }

    /**
     * The lane in which the task waits and runs. An agent that stays is opened by a person, and holds its place while it is idle: it has only
     * the node's limit.
     */
    public LaneKey lane() {
        if (agent == null) {
            return new LaneKey(originSessionId, serial);
        }
        boolean stays = agent.spec().afterTurn() == AgentSpec.AfterTurn.STAY;
        return LaneKey.agents(stays ? null : originSessionId);
    }

    /** Whether the task is queued again if the server dies during a run. */
    public boolean isRequeued() {
        boolean hasInput = mode == ExecutionMode.PTY || (stdinOpen && agent == null);
        return onLost == OnLost.REQUEUE && !hasInput;
    }

    /** Whether the next server needs the request also of a task that runs: to run it again, or to hold up those behind it in its lane. */
    public boolean isKeptWhileRunning() {
        return isRequeued() || serial;
    }

    /** The characters of the texts that a caller makes long. */
    public long chars() {
        long chars = args.text().length();
        for (String each : command) {
            chars += each.length();
        }
        for (Map.Entry<String, String> each : environment.entrySet()) {
            chars += each.getKey().length() + each.getValue().length();
        }
        return chars;
    }

    /**
     * The first frame of the task.
     *
     * @param byRule which input the policy's rule says to record; null if it leaves that to the request
     */
    public ToolTaskSpawned spawned(List<LogRef> logs, Containment containment, @Nullable RecordInput byRule) {
        return new ToolTaskSpawned(
                toolName,
                args,
                cwd,
                title,
                mode,
                originSessionId,
                logs,
                artifactMaxBytes,
                maxBytes,
                actor,
                containment,
                label,
                Objects.requireNonNullElse(byRule, recordInput),
                keep,
                isRequeued() ? OnLost.REQUEUE : OnLost.END,
                stdinOpen,
                links,
                agent == null ? null : agent.spec());
    }

    /** The request as the only frame of a refused spawn records it. */
    public RefusedSpawn refused() {
        return new RefusedSpawn(toolName, args, cwd, title, mode, originSessionId, label, actor);
    }

    /**
     * Builds a request with defaults: pipes, no title, the default limits, a timeout of one hour.
     *
     * @param toolName recorded as the task's tool
     * @param command the program and its arguments
     */
    public static Builder builder(String toolName, List<String> command, Actor actor) {
        return new Builder(toolName, command, actor);
    }

    /** Builds a request; used by one thread. */
    public static final class Builder {

        private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

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
        private Duration timeout = DEFAULT_TIMEOUT;
        private RecordInput recordInput = RecordInput.DEFAULT;
        private @Nullable Keep keep;
        private boolean serial;
        private List<WatchSpec> watch = List.of();
        private OnLost onLost = OnLost.END;
        private boolean stdinOpen;
        private @Nullable TaskLinks links;
        private @Nullable AgentTurn agent;

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

        /** Runs the task after the session's other serial tasks, instead of at the same time. */
        public Builder serial(boolean oneByOne) {
            this.serial = oneByOne;
            return this;
        }

        public Builder watch(List<WatchSpec> watchers) {
            this.watch = watchers;
            return this;
        }

        public Builder onLost(OnLost endOrRequeue) {
            this.onLost = endOrRequeue;
            return this;
        }

        public Builder stdinOpen(boolean hasInput) {
            this.stdinOpen = hasInput;
            return this;
        }

        public Builder links(@Nullable TaskLinks related) {
            this.links = related;
            return this;
        }

        /** Runs an agent program, which has an input. */
        public Builder agent(AgentTurn firstTurn) {
            this.agent = firstTurn;
            this.stdinOpen = true;
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
                    keep == null ? Keep.usual(mode) : keep,
                    serial,
                    watch,
                    onLost,
                    stdinOpen,
                    links,
                    agent);
        }
    }
}
