package io.penstock.engine.launch;

import io.penstock.engine.address.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to the address at which programs are launched. */
public sealed interface LaunchRequest<A extends @Nullable Object> extends Request<LaunchRequest<?>, A> {

    /**
     * Checks a spawn and creates the task's file: among the live tasks, or in the queue if the task has to wait. Answered with the program
     * to launch; empty if it is in the queue.
     *
     * @param arrival the task's number in its lane; null if it is in none yet
     * @param waits whether it waits for its turn there
     */
    record Prepare(
            String taskId,
            TaskRequest request,
            TaskBudget budget,
            @Nullable Long arrival,
            boolean waits) implements LaunchRequest<Optional<PreparedProgram>> {}

    /** Queues a task that was accepted before it had to wait. */
    record Enqueue(String taskId, QueuedSpawn spawn) implements LaunchRequest<@Nullable Void> {}

    /**
     * Launches the program; answered with it, for its owner to attach.
     *
     * @param prepared empty if the program is in the queue
     */
    record Launch(String taskId, Optional<PreparedProgram> prepared) implements LaunchRequest<LaunchedProgram> {}

    /** Removes the task's file: no later server has anything to do for the task. */
    record Forget(String taskId) implements LaunchRequest<@Nullable Void> {}

    /** For a task whose frames can no longer be written: the next server ends it as lost, even if it was queued. */
    record LeaveToNextServer(String taskId) implements LaunchRequest<@Nullable Void> {}
}
