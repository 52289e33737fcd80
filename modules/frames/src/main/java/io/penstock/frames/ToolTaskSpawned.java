package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task was accepted: its immutable spec. Always the first frame of its stream.
 *
 * @param args the tool's arguments without secrets
 * @param artifactMaxBytes maximum stored bytes of each channel; null for no limit
 * @param maxBytes maximum previewed bytes of each channel; null for no limit
 * @param containment how its processes can be found; null in frames recorded before this field existed
 * @param label the session's name for it; null without one, and in frames recorded before labels existed
 * @param recordInput the input to record; null in frames recorded before this field existed, which means echoed input only
 * @param keep the bytes to keep of a larger output; null in frames recorded before this field existed, which means the first
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
        @Nullable TaskLabel label,
        @Nullable RecordInput recordInput,
        @Nullable Keep keep)
        implements TaskFrame, SpawnSpec {

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

    /** The first version of this frame, without the fields added since. */
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
                null,
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
