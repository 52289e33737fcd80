package io.penstock.engine.pump;

import io.penstock.engine.log.TaskCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of tasks, newest first. It may have fewer tasks than requested even if it is not the last.
 *
 * @param next where the next page begins; null if this is the last
 * @param livingOnly whether ended tasks are missing because the database is unavailable
 */
public record TaskPage(List<TaskView> tasks, @Nullable TaskCursor next, boolean livingOnly) {

    public TaskPage {
        tasks = List.copyOf(tasks);
    }
}
