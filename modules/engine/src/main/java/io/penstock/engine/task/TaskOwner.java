package io.penstock.engine.task;

import io.vertx.core.Future;

/** The owner of living tasks. */
public interface TaskOwner {

    /** Whether tasks are no longer created. */
    boolean isStopping();

    /**
     * Adds a task before its first frame; it lives until {@link TaskStream#ended}.
     *
     * @param settled completes when everything that follows from its end is done
     */
    void add(String taskId, TaskStream task, Future<?> settled);
}
