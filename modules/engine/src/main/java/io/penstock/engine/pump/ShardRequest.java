package io.penstock.engine.pump;

import io.penstock.engine.address.Request;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.task.QueuedTask;
import io.penstock.frames.TaskState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is sent to the address of a shard. */
sealed interface ShardRequest<A extends @Nullable Object> extends Request<ShardRequest<?>, A> {

    /** Starts a task; answered when its first frames are accepted. */
    record Spawn(String taskId, TaskRequest request) implements ShardRequest<TaskState> {}

    /** Continues with a queued task of an earlier server; answered when it is recorded that the task is queued. */
    record Resume(QueuedTask task) implements ShardRequest<TaskState> {}

    /** Answered with the living tasks of the shard that have a parent, and their parents. */
    record Parents() implements ShardRequest<Map<String, String>> {}

    /** Answered when everything that follows from the end of a task's last run is done; at once if it has none here. */
    record Settled(String taskId) implements ShardRequest<@Nullable Void> {}

    /** Answered when the stream of a task whose run has ended has no writer any more; at once if its run has not ended. */
    record Closed(String taskId) implements ShardRequest<@Nullable Void> {}

    /** Carries out a command on a living task; answered with the seq of the frame that records it, if one does. */
    record Command(TaskCommand command) implements ShardRequest<@Nullable Long> {}

    /** Answered with the task's state, or with null if the task does not live on the shard. */
    record State(String taskId) implements ShardRequest<@Nullable TaskState> {}

    /** Answered with all tasks that live on the shard. */
    record Living() implements ShardRequest<List<LiveTask>> {}
}
