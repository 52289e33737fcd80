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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which tasks are to be listed. */
public final class TaskListReader {

    /** The words of the contract, and those that name a part of one of them. */
    public static final Map<String, StatusFilter> STANDINGS = standings();

    private TaskListReader() {}

    private static Map<String, StatusFilter> standings() {
        var standings = new LinkedHashMap<String, StatusFilter>();
        for (String word : List.of("queued", "running", "exited", "cancelled", "failed")) {
            standings.put(
                    word,
                    StatusFilter.where((Phase phase, @Nullable Outcome outcome) ->
                            word.equals(ContractStatus.toolTasks(phase, outcome))));
        }
        standings.put("awaiting_input", new StatusFilter(Set.of(Phase.AWAITING_INPUT), Set.of()));
        standings.put("succeeded", new StatusFilter(Set.of(), Set.of(Outcome.SUCCEEDED)));
        standings.put(
                "unsuccessful",
                new StatusFilter(Set.of(), Set.of(Outcome.NONZERO, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST)));
        return Collections.unmodifiableMap(standings);
    }

    public static TaskQuery read(Parameters query) {
        String text = query.textOrNull("text");
        String batch = query.textOrNull("batch");
        TaskQuery all = new TaskQuery(
                        session(query.textOrNull("session")),
                        label(query.textOrNull("label")),
                        standing(query.textOrNull("status")),
                        text == null ? null : RequestFields.withoutNul(text, "text"),
                        (int) query.number("limit", 1, Limits.PAGE_TASKS, TaskQuery.USUAL_LIMIT),
                        cursor(query.textOrNull("cursor")))
                .below(parent(query.textOrNull("parent")))
                .inBatch(batch == null ? null : RequestFields.withoutNul(batch, "batch"));
        return query.flagOrFalse("cleared") ? all : all.notCleared();
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
        StatusFilter standing = STANDINGS.get(word);
        if (standing == null) {
            throw RequestFields.wrong("status must be one of " + String.join(", ", STANDINGS.keySet()) + ", but is \""
                    + RequestFields.shown(word) + "\"");
        }
        return standing;
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
