package io.penstock.engine.pump;

import io.penstock.engine.log.TaskCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of tasks, newest first. It may have fewer than were asked for, also where there are more.
 *
 * @param next where the next page begins; null where there is none
 * @param livingOnly whether those that have ended are missing, for they are in the database, which does not answer
 */
public record TaskPage(List<TaskView> tasks, @Nullable TaskCursor next, boolean livingOnly) {

    public TaskPage {
        tasks = List.copyOf(tasks);
    }
}
