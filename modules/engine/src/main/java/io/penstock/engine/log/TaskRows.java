package io.penstock.engine.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of tasks, newest first.
 *
 * @param next where the next page begins; null where there is none
 */
public record TaskRows(List<TaskRow> rows, @Nullable TaskCursor next) {

    public TaskRows {
        rows = List.copyOf(rows);
    }

    /** @param oneMore the rows found where one more than the limit was looked for, which tells whether there is a next page */
    static TaskRows of(List<TaskRow> oneMore, int limit) {
        if (oneMore.size() <= limit) {
            return new TaskRows(oneMore, null);
        }
        List<TaskRow> rows = oneMore.subList(0, limit);
        return new TaskRows(rows, new TaskCursor(rows.getLast().streamNo()));
    }
}
