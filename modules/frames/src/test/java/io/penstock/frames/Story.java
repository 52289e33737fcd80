package io.penstock.frames;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds one stream frame by frame, a tenth of a second apart, for the golden streams. */
final class Story {

    static final long START_MS = 1_763_460_000_000L;
    static final Actor ALICE = Actor.user("alice");

    private final StreamId stream;
    private final List<Frame> frames = new ArrayList<>();
    private final Map<Channel, Long> newlines = new EnumMap<>(Channel.class);
    private @Nullable Long started;

    Story(String name) {
        this(StreamId.task(name));
    }

    Story(StreamId stream) {
        this.stream = stream;
    }

    List<Frame> frames() {
        return List.copyOf(frames);
    }

    /** The time of the next frame. */
    long now() {
        return START_MS + 100L * frames.size();
    }

    /** The next frame with this body. */
    Frame next(FrameBody body) {
        return new Frame(stream, frames.size(), now(), body);
    }

    Story then(FrameBody body) {
        if (body instanceof TaskRunStarted) {
            started = null;
        }
        frames.add(next(body));
        return this;
    }

    Story pipes() {
        return then(spec(ExecutionMode.PIPES));
    }

    Story pty() {
        return then(spec(ExecutionMode.PTY));
    }

    Story running() {
        long start = started == null ? now() : started;
        started = start;
        return then(ToolTaskStatus.running(start));
    }

    /** Spawns with a recorded containment. */
    Story contained(ExecutionMode mode, Containment containment) {
        return spawned(mode, containment, null, null);
    }

    /** Spawns with the recently added fields. */
    Story spawned(
            ExecutionMode mode,
            @Nullable Containment containment,
            @Nullable TaskLabel label,
            @Nullable RecordInput recordInput) {
        return spawned(mode, containment, label, recordInput, null, null);
    }

    Story spawned(
            ExecutionMode mode,
            @Nullable Containment containment,
            @Nullable TaskLabel label,
            @Nullable RecordInput recordInput,
            @Nullable Keep keep,
            @Nullable OnLost onLost) {
        return then(spec(mode, containment, label, recordInput, keep, onLost, false, null, null));
    }

    /** Spawns a task on pipes with an input. */
    Story withInput() {
        return then(spec(ExecutionMode.PIPES, null, null, RecordInput.DEFAULT, null, null, true, null, null));
    }

    /** Spawns a task on pipes that is related to others. */
    Story linked(TaskLinks links) {
        return then(spec(ExecutionMode.PIPES, null, null, null, null, null, false, links, null));
    }

    /** Spawns an agent. */
    Story agent(AgentSpec agent, @Nullable TaskLinks links) {
        var label = new TaskLabel("tests");
        return then(spec(ExecutionMode.PIPES, Containment.CGROUP, label, null, null, OnLost.END, true, links, agent));
    }

    private static ToolTaskSpawned spec(
            ExecutionMode mode,
            @Nullable Containment containment,
            @Nullable TaskLabel label,
            @Nullable RecordInput recordInput,
            @Nullable Keep keep,
            @Nullable OnLost onLost,
            boolean stdinOpen,
            @Nullable TaskLinks links,
            @Nullable AgentSpec agent) {
        ToolTaskSpawned spec = spec(mode);
        return new ToolTaskSpawned(
                spec.toolName(),
                spec.args(),
                spec.cwd(),
                spec.title(),
                spec.executionMode(),
                spec.originSessionId(),
                spec.logs(),
                spec.artifactMaxBytes(),
                spec.maxBytes(),
                spec.actor(),
                containment,
                label,
                recordInput,
                keep,
                onLost,
                stdinOpen,
                links,
                agent);
    }

    Story phase(Phase phase, Cause cause, Actor actor) {
        return then(status(phase, cause, actor));
    }

    Story wrote(Channel channel, long offset, int bytes) {
        return then(new ToolTaskOutputDelta(channel, offset, bytes, offset + bytes));
    }

    Story said(Channel channel, long offset, String text) {
        int bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        return then(new ToolTaskOutputDelta(channel, offset, bytes, offset + bytes, lines(channel, text))
                .with(new DeltaText(text, log(channel))));
    }

    private LineSpan lines(Channel channel, String text) {
        int ended = (int) text.chars().filter(character -> character == '\n').count();
        long before = newlines.getOrDefault(channel, 0L);
        newlines.put(channel, before + ended);
        return new LineSpan(before + 1, text.endsWith("\n") ? ended : ended + 1);
    }

    Story exits(int code, LogEnd... logs) {
        return then(end(Ending.exit(code), null, Cause.EXIT, Actor.REAPER, logs));
    }

    ToolTaskStatus end(Ending ending, @Nullable String error, Cause cause, Actor actor, LogEnd... logs) {
        return new ToolTaskStatus(Phase.ENDED, ending, started, now(), List.of(logs), error, null, cause, actor);
    }

    static ToolTaskStatus status(Phase phase, Cause cause, Actor actor) {
        return new ToolTaskStatus(phase, null, null, null, List.of(), null, null, cause, actor);
    }

    static LogRef log(Channel channel) {
        return new LogRef(channel, "a-" + channel.wireName(), "2025-11-18/a-" + channel.wireName());
    }

    static LogEnd whole(Channel channel, long bytes) {
        return new LogEnd(log(channel), bytes, bytes, null);
    }

    static ToolTaskSpawned spec(ExecutionMode mode) {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"make test\",\"cwd\":\"api\",\"rows\":24}"),
                "api",
                "tests of the api",
                mode,
                "cli",
                mode.channels().stream().map(Story::log).toList(),
                Limits.ARTIFACT_BYTES,
                Limits.PREVIEW_BYTES,
                ALICE);
    }
}
