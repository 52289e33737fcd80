package io.penstock.engine.pump;

import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.task.TaskBudget;
import io.penstock.frames.TaskState;

/** What is sent to the address of a shard. */
sealed interface ShardRequest {

    /** Starts a task; answered when its first frames are accepted. */
    record Spawn(String taskId, TaskRequest request) implements ShardRequest {}

    /** Carries out a command on a living task; answered with the seq of the frame that records it, if one does. */
    record Command(TaskCommand command) implements ShardRequest {}

    /** Answered with the task's state, or with null where the task does not live on the shard. */
    record State(String taskId) implements ShardRequest {}

    /** Answered with all tasks that live on the shard. */
    record Living() implements ShardRequest {}

    /**
     * Continues with a task that was queued when the server before this one ended.
     *
     * @param slot the task's place in its lane
     */
    record TakeUp(String taskId, StreamWriter writer, TaskState state, TaskBudget budget, LaneSlot slot)
            implements ShardRequest {}
}
