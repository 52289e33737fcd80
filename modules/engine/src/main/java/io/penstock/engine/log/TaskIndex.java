package io.penstock.engine.log;

import io.vertx.core.Future;

/** Finds tasks by their rows, including tasks that ended long ago. May be called from any thread. */
public interface TaskIndex {

    /**
     * Lists the tasks that were recorded before this call, newest first. Fails with {@code DATABASE_UNAVAILABLE} if the
     * database does not answer.
     */
    Future<TaskRows> list(TaskQuery query);

    /** Counts the newest tasks that match the query, whatever its status and page. Fails as {@link #list}. */
    Future<TaskCounts> count(TaskQuery query);
}
