package io.penstock.engine.pump;

import io.penstock.engine.address.Request;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.task.QueuedTask;
import io.penstock.frames.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is sent to the address of a shard. */
sealed interface ShardRequest<A extends @Nullable Object> extends Request<ShardRequest<?>, A> {

    /** Starts a task; answered when its first frames are accepted. */
    record Spawn(String taskId, TaskRequest request) implements ShardRequest<TaskState> {}

    /** Continues with a queued task of an earlier server; answered when it is recorded that the task is queued. */
    record Resume(QueuedTask task) implements ShardRequest<TaskState> {}

    /** Answered with the ids of the living tasks that this task has started. */
    record Children(String parentTaskId) implements ShardRequest<List<String>> {}

    /** Answered when everything that follows from the end of a task's last run is done; at once if it has none here. */
    record Settled(String taskId) implements ShardRequest<@Nullable Void> {}

    /** Carries out a command on a living task; answered with the seq of the frame that records it, if one does. */
    record Command(TaskCommand command) implements ShardRequest<@Nullable Long> {}

    /** Answered with the task's state, or with null if the task does not live on the shard. */
    record State(String taskId) implements ShardRequest<@Nullable TaskState> {}

    /** Answered with all tasks that live on the shard. */
    record Living() implements ShardRequest<List<LiveTask>> {}
}
