package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The request of a refused spawn. The status that records the refusal contains it, since there is no other frame. */
public record RefusedSpawn(
        String toolName,
        JsonText args,
        @Nullable String cwd,
        @Nullable String title,
        ExecutionMode executionMode,
        @Nullable String originSessionId,
        @Nullable TaskLabel label,
        Actor actor)
        implements SpawnSpec {

    public RefusedSpawn {
        toolName = Checks.notBlank(toolName, "tool_name");
        Checks.utf8(args.text(), "args", Limits.ARGS_BYTES);
        cwd = Checks.textOrNull(cwd, "cwd");
        title = Checks.textOrNull(title, "title");
        if (originSessionId != null) {
            StreamId.session(originSessionId);
        }
    }

    void writeJson(JsonWriter json) {
        json.text("tool_name", toolName);
        json.json("args", args);
        json.textOrNull("cwd", cwd);
        json.textOrNull("title", title);
        json.text("execution_mode", executionMode.wireName());
        json.textOrNull("origin_session_id", originSessionId);
        json.textOrNull("label", label == null ? null : label.text());
        json.actor("actor", actor);
    }

    static RefusedSpawn readJson(JsonFields fields) {
        return new RefusedSpawn(
                fields.text("tool_name"),
                fields.json("args"),
                fields.textOrNull("cwd"),
                fields.textOrNull("title"),
                fields.oneOf("execution_mode", ExecutionMode.class),
                fields.textOrNull("origin_session_id"),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                fields.actor("actor"));
    }

    void writeStored(ByteWriter out) {
        out.writeText(toolName);
        out.writeText(args.text());
        out.writeTextOrNull(cwd);
        out.writeTextOrNull(title);
        out.writeConstant(executionMode);
        out.writeTextOrNull(originSessionId);
        out.writeTextOrNull(label == null ? null : label.text());
        actor.writeStored(out);
    }

    static RefusedSpawn readStored(ByteReader in) {
        return new RefusedSpawn(
                in.readText(),
                new JsonText(in.readText()),
                in.readTextOrNull(),
                in.readTextOrNull(),
                in.readConstant(ExecutionMode.class),
                in.readTextOrNull(),
                TaskLabel.ofNullable(in.readTextOrNull()),
                Actor.readStored(in));
    }
}
