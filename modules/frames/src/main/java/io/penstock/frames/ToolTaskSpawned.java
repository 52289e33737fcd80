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
 * @param stdinOpen whether a task on pipes has an input; false in frames recorded before this field existed. A terminal always has one
 * @param links null without relations to other tasks, and in frames recorded before this field existed
 * @param agent the agent program of an agent task; null for a task that runs a command
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
        @Nullable OnLost onLost,
        boolean stdinOpen,
        @Nullable TaskLinks links,
        @Nullable AgentSpec agent)
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
        if (stdinOpen && executionMode != ExecutionMode.PIPES) {
            throw new IllegalArgumentException(
                    "Only a task in mode pipes has stdin_open, not in mode " + executionMode.wireName());
        }
        if (agent != null && !stdinOpen) {
            throw new IllegalArgumentException("An agent program has an input, so its task has stdin_open");
        }
        // One form for tasks without relations, so that all forms of the frame are equal.
        links = TaskLinks.NONE.equals(links) ? null : links;
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
                null,
                false,
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
        json.flag("stdin_open", stdinOpen);
        json.begin("links");
        (links == null ? TaskLinks.NONE : links).writeJson(json);
        json.end();
        if (agent == null) {
            json.absent("agent");
        } else {
            json.begin("agent");
            agent.writeJson(json);
            json.end();
        }
    }

    static ToolTaskSpawned readJson(JsonFields fields) {
        var mode = fields.oneOf("execution_mode", ExecutionMode.class);
        JsonFields artifacts = fields.in("artifacts");
        JsonFields logs = artifacts.in("logs");
        var refs = new ArrayList<LogRef>(2);
        for (Channel channel : mode.channels()) {
            refs.add(LogRef.readJson(channel, logs.in(channel.wireName())));
        }
        JsonFields links = fields.inOrNull("links");
        JsonFields agent = fields.inOrNull("agent");
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
                fields.oneOfOrNull("on_lost", OnLost.class),
                Boolean.TRUE.equals(fields.flagOrNull("stdin_open")),
                links == null ? null : TaskLinks.readJson(links),
                agent == null ? null : AgentSpec.readJson(agent));
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
                in.hasMore() ? in.readConstantOrNull(OnLost.class) : null,
                in.hasMore() && in.readNumber() != 0,
                in.hasMore() && in.readNumber() != 0 ? TaskLinks.readStored(in) : null,
                in.hasMore() && in.readNumber() != 0 ? AgentSpec.readStored(in) : null);
    }

    /** Fields added since the first version, absent at the end rather than empty, so that older records keep their bytes. */
    private void writeAddedFields(ByteWriter out) {
        int fields = addedFields();
        if (fields > 0) {
            out.writeConstantOrNull(containment);
        }
        if (fields > 1) {
            out.writeTextOrNull(label == null ? null : label.text());
        }
        if (fields > 2) {
            out.writeConstantOrNull(recordInput);
        }
        if (fields > 3) {
            out.writeConstantOrNull(keep);
        }
        if (fields > 4) {
            out.writeConstantOrNull(onLost);
        }
        if (fields > 5) {
            out.writeNumber(stdinOpen ? 1 : 0);
        }
        if (fields > 6) {
            out.writeNumber(links == null ? 0 : 1);
            if (links != null) {
                links.writeStored(out);
            }
        }
        if (agent != null) {
            out.writeNumber(1);
            agent.writeStored(out);
        }
    }

    /** How many of the added fields there are, up to the last that is not empty. */
    private int addedFields() {
        if (agent != null) {
            return 8;
        }
        if (links != null) {
            return 7;
        }
        if (stdinOpen) {
            return 6;
        }
        if (onLost != null) {
            return 5;
        }
        if (keep != null) {
            return 4;
        }
        if (recordInput != null) {
            return 3;
        }
        if (label != null) {
            return 2;
        }
        return containment == null ? 0 : 1;
    }
}
