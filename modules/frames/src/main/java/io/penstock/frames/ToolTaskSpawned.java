package io.penstock.frames;

import java.util.ArrayList;
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
 * @param onLost what follows the death of the server; null in frames recorded before this field existed, which means that the task ends
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
        @Nullable Keep keep,
        @Nullable OnLost onLost)
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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("tool_name", toolName);
        json.json("args", args);
        json.textOrNull("cwd", cwd);
        json.textOrNull("title", title);
        json.text("execution_mode", executionMode.wireName());
        json.textOrNull("origin_session_id", originSessionId);
        json.begin("artifacts");
        json.begin("logs");
        for (LogRef log : logs) {
            json.begin(log.channel().wireName());
            log.writeJson(json);
            json.end();
        }
        json.end();
        json.numberOrNull("artifact_max_bytes", artifactMaxBytes);
        json.numberOrNull("max_bytes", maxBytes);
        json.end();
        json.actor("actor", actor);
        json.textOrNull("containment", containment == null ? null : containment.wireName());
        json.textOrNull("label", label == null ? null : label.text());
        json.textOrNull("record_input", recordInput == null ? null : recordInput.wireName());
        json.textOrNull("keep", keep == null ? null : keep.wireName());
        json.textOrNull("on_lost", onLost == null ? null : onLost.wireName());
    }

    static ToolTaskSpawned readJson(JsonFields fields) {
        var mode = fields.oneOf("execution_mode", ExecutionMode.class);
        JsonFields artifacts = fields.in("artifacts");
        JsonFields logs = artifacts.in("logs");
        var refs = new ArrayList<LogRef>(2);
        for (Channel channel : mode.channels()) {
            refs.add(LogRef.readJson(channel, logs.in(channel.wireName())));
        }
        return new ToolTaskSpawned(
                fields.text("tool_name"),
                fields.json("args"),
                fields.textOrNull("cwd"),
                fields.textOrNull("title"),
                mode,
                fields.textOrNull("origin_session_id"),
                refs,
                artifacts.numberOrNull("artifact_max_bytes"),
                artifacts.numberOrNull("max_bytes"),
                fields.actor("actor"),
                fields.oneOfOrNull("containment", Containment.class),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                fields.oneOfOrNull("record_input", RecordInput.class),
                fields.oneOfOrNull("keep", Keep.class),
                fields.oneOfOrNull("on_lost", OnLost.class));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(toolName);
        out.writeText(args.text());
        out.writeTextOrNull(cwd);
        out.writeTextOrNull(title);
        out.writeConstant(executionMode);
        out.writeTextOrNull(originSessionId);
        // The mode determines the channels.
        for (LogRef log : logs) {
            log.writeStored(out);
        }
        out.writeNumberOrNull(artifactMaxBytes);
        out.writeNumberOrNull(maxBytes);
        actor.writeStored(out);
        writeAddedFields(out);
    }

    static ToolTaskSpawned readStored(ByteReader in) {
        String toolName = in.readText();
        var args = new JsonText(in.readText());
        String cwd = in.readTextOrNull();
        String title = in.readTextOrNull();
        ExecutionMode mode = in.readConstant(ExecutionMode.class);
        String origin = in.readTextOrNull();
        var logs = new ArrayList<LogRef>(2);
        for (Channel channel : mode.channels()) {
            logs.add(LogRef.readStored(channel, in));
        }
        return new ToolTaskSpawned(
                toolName,
                args,
                cwd,
                title,
                mode,
                origin,
                logs,
                in.readNumberOrNull(),
                in.readNumberOrNull(),
                Actor.readStored(in),
                in.hasMore() ? in.readConstantOrNull(Containment.class) : null,
                TaskLabel.ofNullable(in.hasMore() ? in.readTextOrNull() : null),
                in.hasMore() ? in.readConstantOrNull(RecordInput.class) : null,
                in.hasMore() ? in.readConstantOrNull(Keep.class) : null,
                in.hasMore() ? in.readConstantOrNull(OnLost.class) : null);
    }

    /** Fields added since the first version, absent at the end rather than empty, so that older records keep their bytes. */
    private void writeAddedFields(ByteWriter out) {
        if (containment != null || label != null || recordInput != null || keep != null || onLost != null) {
            out.writeConstantOrNull(containment);
        }
        if (label != null || recordInput != null || keep != null || onLost != null) {
            out.writeTextOrNull(label == null ? null : label.text());
        }
        if (recordInput != null || keep != null || onLost != null) {
            out.writeConstantOrNull(recordInput);
        }
        if (keep != null || onLost != null) {
            out.writeConstantOrNull(keep);
        }
        if (onLost != null) {
            out.writeConstantOrNull(onLost);
        }
    }
}
