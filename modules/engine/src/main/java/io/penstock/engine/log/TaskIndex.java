package io.penstock.engine.log;

import io.vertx.core.Future;

/** Finds tasks, also those that ended long ago, by what their rows say. May be called from any thread. */
public interface TaskIndex {

    /** The tasks that were recorded before this was called, newest first. Fails with {@code DATABASE_UNAVAILABLE} if nobody can tell now. */
    Future<TaskRows> list(TaskQuery query);
}
