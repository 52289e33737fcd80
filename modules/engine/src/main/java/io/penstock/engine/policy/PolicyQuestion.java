package io.penstock.engine.policy;

import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.ToolTaskSpawned;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether this operation may be done. All but the first two tell of the task, which for a spawn is the one that is asked for.
 *
 * @param principal who wants it done
 * @param args what the tool was asked for, as it is recorded: JSON's values as those of Java, whole numbers as longs
 * @param session for whom the task runs
 * @param depth how many tasks stand above it, each started by the one before; 0 is one that no task has started
 */
public record PolicyQuestion(
        Operation operation,
        Actor principal,
        String tool,
        Map<String, Object> args,
        ExecutionMode mode,
        @Nullable String session,
        int depth) {

    public PolicyQuestion {
        if (depth < 0) {
            throw new IllegalArgumentException("A depth is 0 or more, not " + depth);
        }
    }

    /** The one that was asked, or would be, before this task was begun. */
    public static PolicyQuestion spawn(ToolTaskSpawned spec) {
        return new PolicyQuestion(
                Operation.SPAWN,
                spec.actor(),
                spec.toolName(),
                ArgValues.of(spec.args()),
                spec.executionMode(),
                spec.originSessionId(),
                0);
    }
}
