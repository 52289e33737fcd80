package io.penstock.server.request;

import io.penstock.engine.log.StatusFilter;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads which tasks are to be listed. */
public final class TaskListReader {

    private static final List<String> WORDS = List.of("queued", "running", "exited", "cancelled", "failed");

    private TaskListReader() {}

    public static TaskQuery read(Parameters query) {
        String text = query.textOrNull("text");
        String batch = query.textOrNull("batch");
        return new TaskQuery(
                        session(query.textOrNull("session")),
                        label(query.textOrNull("label")),
                        standing(query.textOrNull("status")),
                        text == null ? null : RequestFields.withoutNul(text, "text"),
                        (int) query.number("limit", 1, Limits.PAGE_TASKS, TaskQuery.USUAL_LIMIT),
                        cursor(query.textOrNull("cursor")))
                .below(parent(query.textOrNull("parent")))
                .inBatch(batch == null ? null : RequestFields.withoutNul(batch, "batch"));
    }

    private static @Nullable String parent(@Nullable String id) {
        if (id == null) {
            return null;
        }
        try {
            return StreamId.task(id).id();
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("parent cannot be the id of a task: " + e.getMessage());
        }
    }

    private static @Nullable String session(@Nullable String id) {
        if (id == null) {
            return null;
        }
        try {
            return StreamId.session(id).id();
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("session cannot be the id of one: " + e.getMessage());
        }
    }

    private static @Nullable TaskLabel label(@Nullable String text) {
        try {
            return TaskLabel.ofNullable(text);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("label cannot be one: " + e.getMessage());
        }
    }

    private static @Nullable StatusFilter standing(@Nullable String word) {
        if (word == null) {
            return null;
        }
        if (!WORDS.contains(word)) {
            throw RequestFields.wrong("status must be one of " + String.join(", ", WORDS) + ", but is \""
                    + RequestFields.shown(word) + "\"");
        }
        return StatusFilter.where(
                (Phase phase, @Nullable Outcome outcome) -> word.equals(ContractStatus.toolTasks(phase, outcome)));
    }

    private static @Nullable TaskCursor cursor(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return TaskCursor.parse(text);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("cursor is \"" + RequestFields.shown(text) + "\"; " + e.getMessage());
        }
    }
}
