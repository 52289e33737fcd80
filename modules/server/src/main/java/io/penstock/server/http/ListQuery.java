package io.penstock.server.http;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskStanding;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.SurfaceWords;
import io.penstock.frames.TaskLabel;
import io.penstock.server.request.JsonFields;
import io.penstock.server.request.QueryFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads which tasks a request wants listed. */
final class ListQuery {

    private static final List<String> WORDS = List.of("queued", "running", "exited", "cancelled", "failed");

    private ListQuery() {}

    static TaskQuery read(QueryFields query) {
        String text = query.textOrNull("text");
        return new TaskQuery(
                session(query.textOrNull("session")),
                label(query.textOrNull("label")),
                standing(query.textOrNull("status")),
                text == null ? null : JsonFields.withoutNul(text, "text"),
                (int) query.number("limit", 1, Limits.PAGE_TASKS, TaskQuery.USUAL_LIMIT),
                cursor(query.textOrNull("cursor")));
    }

    private static @Nullable String session(@Nullable String id) {
        if (id == null) {
            return null;
        }
        try {
            return StreamId.session(id).id();
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("session cannot be the id of one: " + e.getMessage());
        }
    }

    private static @Nullable TaskLabel label(@Nullable String text) {
        try {
            return TaskLabel.ofNullable(text);
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("label cannot be one: " + e.getMessage());
        }
    }

    private static @Nullable TaskStanding standing(@Nullable String word) {
        if (word == null) {
            return null;
        }
        if (!WORDS.contains(word)) {
            throw JsonFields.wrong("status must be one of " + String.join(", ", WORDS) + ", but is \""
                    + JsonFields.shown(word) + "\"");
        }
        return TaskStanding.where(
                (Phase phase, @Nullable Outcome outcome) -> word.equals(SurfaceWords.toolTasks(phase, outcome)));
    }

    private static @Nullable TaskCursor cursor(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return TaskCursor.parse(text);
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("cursor is \"" + JsonFields.shown(text) + "\"; " + e.getMessage());
        }
    }
}
