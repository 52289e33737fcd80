package io.penstock.engine.task;

import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.TaskState;
import java.util.List;

/**
 * A task that was queued when the server before this one ended, or that is queued again because that server died during a run.
 *
 * @param state the fold of its frames
 * @param slot the slot that it has in its lane again
 * @param recorded all of its frames; those of a long queue that has neither watchers nor output are empty
 * @param unrecorded watchers of its spawn of which there is no frame yet
 * @param output continues what an earlier run has written
 */
public record QueuedTask(
        String taskId,
        StreamWriter writer,
        TaskState state,
        TaskBudget budget,
        LaneSlot slot,
        RecordedTask recorded,
        List<WatchSpec> unrecorded,
        TaskOutput output) {

    public QueuedTask {
        unrecorded = List.copyOf(unrecorded);
    }
}
