package io.penstock.engine.policy;

import io.penstock.engine.address.Request;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.ToolTaskSpawned;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The question whether an operation is allowed. All but the first two components describe the task; for a spawn, the requested one.
 *
 * @param principal the caller
 * @param args the tool's arguments as recorded: JSON values as Java values, whole numbers as longs
 * @param environment the variables that the spawn requested
 * @param session the session of the task
 * @param depth the number of tasks above it, each started by the one before; 0 if no task has started it
 */
public record PolicyQuestion(
        Operation operation,
        Actor principal,
        String tool,
        Map<String, Object> args,
        TaskEnvironment environment,
        ExecutionMode mode,
        @Nullable String session,
        int depth)
        implements Request<PolicyQuestion, Verdict> {

    public PolicyQuestion {
        if (depth < 0) {
            throw new IllegalArgumentException("depth must be 0 or more, not " + depth);
        }
    }

    /** The question that was asked, or would be, before this task's spawn. */
    public static PolicyQuestion spawn(ToolTaskSpawned spec) {
        return about(Operation.SPAWN, spec.actor(), spec, ArgValues.of(spec.args()));
    }

    /**
     * A question about a recorded task.
     *
     * @param args those of the spec
     */
    public static PolicyQuestion about(Operation operation, Actor principal, SpawnSpec spec, Map<String, Object> args) {
        return new PolicyQuestion(
                operation,
                principal,
                spec.toolName(),
                args,
                TaskEnvironment.recorded(args),
                spec.executionMode(),
                spec.originSessionId(),
                spec instanceof ToolTaskSpawned spawned && spawned.links() != null
                        ? spawned.links().depth()
                        : 0);
    }

    /** The folder as the caller gave it; empty for the workspace itself. */
    String cwd() {
        return args.get("cwd") instanceof String folder ? folder : "";
    }
}
