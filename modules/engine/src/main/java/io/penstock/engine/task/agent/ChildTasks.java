package io.penstock.engine.task.agent;

import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs commands for an agent, each as a task whose parent is the agent's. May be called from any thread. */
public interface ChildTasks {

    /**
     * Starts a command; completes with the task's id.
     *
     * @param parent the spec of the agent's task
     * @param environment added to the clean environment
     * @param folder absolute; null for the folder of the parent
     */
    Future<String> start(
            String parentTaskId,
            ToolTaskSpawned parent,
            List<String> command,
            Map<String, String> environment,
            @Nullable String folder);

    /** The newest output of both channels, at most this many bytes, as text. */
    Future<String> output(String taskId, int maxBytes);

    Future<TaskState> state(String taskId);

    /** Completes when the task has ended. */
    Future<TaskState> awaitEnd(String taskId);

    Future<?> cancel(String taskId, String reason);

    /** Cancels all living tasks below this one, which was stopped. */
    void cancelBelow(String taskId);
}
