package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The request of a refused spawn. The status that records the refusal contains it, since there is no other frame.
 *
 * @param rule the rule of policy that denied the spawn; null if a quota refused it, and in records from before this field existed
 */
public record RefusedSpawn(
        String toolName,
        JsonText args,
        @Nullable String cwd,
        @Nullable String title,
        ExecutionMode executionMode,
        @Nullable String originSessionId,
        @Nullable TaskLabel label,
        Actor actor,
        @Nullable String rule)
        implements SpawnSpec {

    public RefusedSpawn {
        toolName = Checks.notBlank(toolName, "tool_name");
        Checks.utf8(args.text(), "args", Limits.ARGS_BYTES);
        cwd = Checks.textOrNull(cwd, "cwd");
        title = Checks.textOrNull(title, "title");
        if (originSessionId != null) {
            StreamId.session(originSessionId);
        }
        rule = rule == null ? null : Checks.notBlank(rule, "rule");
    }

    /** Refused by no rule of policy. */
    public RefusedSpawn(
            String toolName,
            JsonText args,
            @Nullable String cwd,
            @Nullable String title,
            ExecutionMode executionMode,
            @Nullable String originSessionId,
            @Nullable TaskLabel label,
            Actor actor) {
        this(toolName, args, cwd, title, executionMode, originSessionId, label, actor, null);
    }

    /** The same spawn, denied by this rule. */
    public RefusedSpawn deniedBy(String denying) {
        return new RefusedSpawn(toolName, args, cwd, title, executionMode, originSessionId, label, actor, denying);
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
        json.textOrNull("rule", rule);
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
                fields.actor("actor"),
                fields.textOrNull("rule"));
    }

    /** The rule is the last field, and absent if null: the status says which. */
    void writeStored(ByteWriter out) {
        out.writeText(toolName);
        out.writeText(args.text());
        out.writeTextOrNull(cwd);
        out.writeTextOrNull(title);
        out.writeConstant(executionMode);
        out.writeTextOrNull(originSessionId);
        out.writeTextOrNull(label == null ? null : label.text());
        actor.writeStored(out);
        if (rule != null) {
            out.writeText(rule);
        }
    }

    static RefusedSpawn readStored(ByteReader in, boolean hasRule) {
        return new RefusedSpawn(
                in.readText(),
                new JsonText(in.readText()),
                in.readTextOrNull(),
                in.readTextOrNull(),
                in.readConstant(ExecutionMode.class),
                in.readTextOrNull(),
                TaskLabel.ofNullable(in.readTextOrNull()),
                Actor.readStored(in),
                hasRule ? in.readText() : null);
    }
}
