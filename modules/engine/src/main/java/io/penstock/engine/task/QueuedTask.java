package io.penstock.engine.task;

import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.session.LaneSlot;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherAdded;
import java.util.List;

/**
 * A task that was queued when the server before this one ended.
 *
 * @param state the fold of its frames
 * @param slot the slot that it has in its lane again
 * @param watchers those that its frames record
 */
public record QueuedTask(
        String taskId,
        StreamWriter writer,
        TaskState state,
        TaskBudget budget,
        LaneSlot slot,
        List<TaskWatcherAdded> watchers) {

    public QueuedTask {
        watchers = List.copyOf(watchers);
    }
}
