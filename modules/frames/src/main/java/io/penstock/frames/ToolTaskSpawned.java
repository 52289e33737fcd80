package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task was accepted: its immutable spec. Always the first frame of its stream.
 *
 * @param args what the tool was asked for, secrets already taken out
 * @param artifactMaxBytes stored of each channel at most; null is without limit
 * @param maxBytes previewed of each channel at most; null is without limit
 * @param containment what reaches all that it starts; null in frames that were recorded before this was
 * @param label what its session calls it; null in those that were recorded before labels, too
 */
public record ToolTaskSpawned(
        String toolName,
        JsonText args,
        @Nullable String cwd,
        @Nullable String title,
        ExecutionMode executionMode,
        @Nullable String originSessionId,
        List<LogRef> logs,
        @Nullable Long artifactMaxBytes,
        @Nullable Long maxBytes,
        Actor actor,
        @Nullable Containment containment,
        @Nullable TaskLabel label)
        implements TaskFrame {

    public ToolTaskSpawned {
        toolName = Checks.notBlank(toolName, "tool_name");
        Checks.utf8(args.text(), "args", Limits.ARGS_BYTES);
        cwd = Checks.textOrNull(cwd, "cwd");
        title = Checks.textOrNull(title, "title");
        Checks.notNegative(artifactMaxBytes, "artifact_max_bytes");
        Checks.notNegative(maxBytes, "max_bytes");
        if (originSessionId != null) {
            StreamId.session(originSessionId);
        }
        logs = List.copyOf(logs);
        List<Channel> channels = logs.stream().map(LogRef::channel).toList();
        if (!channels.equals(executionMode.channels())) {
            throw new IllegalArgumentException("A task in mode " + executionMode.wireName() + " has the logs "
                    + executionMode.channels() + " in this order, not " + channels);
        }
    }

    /** As it was recorded before its containment and label were. */
    public ToolTaskSpawned(
            String toolName,
            JsonText args,
            @Nullable String cwd,
            @Nullable String title,
            ExecutionMode executionMode,
            @Nullable String originSessionId,
            List<LogRef> logs,
            @Nullable Long artifactMaxBytes,
            @Nullable Long maxBytes,
            Actor actor) {
        this(
                toolName,
                args,
                cwd,
                title,
                executionMode,
                originSessionId,
                logs,
                artifactMaxBytes,
                maxBytes,
                actor,
                null,
                null);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_SPAWNED;
    }

    public LogRef log(Channel channel) {
        for (LogRef log : logs) {
            if (log.channel() == channel) {
                return log;
            }
        }
        throw new IllegalArgumentException(
                "A task in mode " + executionMode.wireName() + " has no channel " + channel.wireName());
    }
}
