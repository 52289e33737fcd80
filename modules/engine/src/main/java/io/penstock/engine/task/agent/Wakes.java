package io.penstock.engine.task.agent;

import io.penstock.frames.TaskState;
import io.vertx.core.Future;

/** Wakes the agent that the spawn of a task named for its end. May be called from any thread. */
public interface Wakes {

    /** Completes when that is attempted and recorded; never fails. */
    Future<?> wake(String endedTaskId, TaskState last);

    /** For a task whose server died between its end and the record of the attempt, which is not made again; never fails. */
    Future<?> recordUnknown(String endedTaskId, TaskState last);
}
