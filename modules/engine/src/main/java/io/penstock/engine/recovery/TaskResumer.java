package io.penstock.engine.recovery;

import io.penstock.engine.task.QueuedTask;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;

/** Hands queued tasks to the shards that own them. */
public interface TaskResumer {

    /** Completes when it is recorded that the task is queued. */
    Future<TaskState> resume(QueuedTask task);
}
