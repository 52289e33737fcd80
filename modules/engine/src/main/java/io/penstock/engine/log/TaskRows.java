package io.penstock.engine.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the task list, newest first.
 *
 * @param next the start of the next page; null on the last page
 */
public record TaskRows(List<TaskRow> rows, @Nullable TaskCursor next) {

    public TaskRows {
        rows = List.copyOf(rows);
    }

    /** @param oneMore the rows found with one more than the limit, to learn whether there is a next page */
    public static TaskRows of(List<TaskRow> oneMore, int limit) {
        if (oneMore.size() <= limit) {
            return new TaskRows(oneMore, null);
        }
        List<TaskRow> rows = oneMore.subList(0, limit);
        return new TaskRows(rows, new TaskCursor(rows.getLast().streamNo()));
    }
}
