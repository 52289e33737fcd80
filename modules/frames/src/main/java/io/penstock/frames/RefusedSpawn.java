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
}
