package io.penstock.engine.task;

/** The owner of living tasks. */
public interface TaskOwner {

    /** Whether no task may be created any more. */
    boolean isStopping();

    /** Adds a task before its first frame; it lives until {@link TaskStream#ended}. */
    void add(String taskId, TaskStream task);
}
