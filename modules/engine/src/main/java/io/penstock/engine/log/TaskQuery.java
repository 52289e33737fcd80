package io.penstock.engine.log;

import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.ToolTaskSpawned;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the tasks that match all of the given criteria.
 *
 * @param sessionId the session that spawned them
 * @param label this exact label; the first match of a session is the task that got the label last
 * @param text contained in the title, the label or the command, ignoring case
 * @param tools one of these tools started it; of any if empty
 * @param idPrefix its id begins with this
 * @param parentTaskId this task started it
 * @param batch it belongs to this batch
 * @param withoutCleared it was not cleared
 * @param limit the maximum number of tasks on a page
 * @param after where the previous page ended
 */
public record TaskQuery(
        @Nullable String sessionId,
        @Nullable TaskLabel label,
        @Nullable StatusFilter standing,
        @Nullable String text,
        Set<String> tools,
        @Nullable String idPrefix,
        @Nullable String parentTaskId,
        @Nullable String batch,
        boolean withoutCleared,
        int limit,
        @Nullable TaskCursor after) {

    /** A client that does not page sees as many tasks as one page may have. */
    public static final int USUAL_LIMIT = Limits.PAGE_TASKS;

    /** The newest tasks, without criteria. */
    public static final TaskQuery NEWEST = new TaskQuery(null, null, null, null, USUAL_LIMIT, null);

    /** Whatever the tool, the id and the relations to other tasks. */
    public TaskQuery(
            @Nullable String sessionId,
            @Nullable TaskLabel label,
            @Nullable StatusFilter standing,
            @Nullable String text,
            int limit,
            @Nullable TaskCursor after) {
        this(sessionId, label, standing, text, Set.of(), null, null, null, false, limit, after);
    }

    public TaskQuery {
        tools = Set.copyOf(tools);
        if (sessionId != null) {
            StreamId.session(sessionId);
        }
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A title has no NUL character, so text must not have one either");
        }
        if (idPrefix != null && idPrefix.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("An id has no NUL character, so its beginning must not have one either");
        }
        if (parentTaskId != null) {
            StreamId.task(parentTaskId);
        }
        if (batch != null && batch.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The name of a batch has no NUL character");
        }
        if (limit < 1 || limit > Limits.PAGE_TASKS) {
            throw new IllegalArgumentException("limit is " + limit + " and must be from 1 to " + Limits.PAGE_TASKS);
        }
    }

    /** The next page of the same list. */
    public TaskQuery from(TaskCursor next) {
        return new TaskQuery(
                sessionId, label, standing, text, tools, idPrefix, parentTaskId, batch, withoutCleared, limit, next);
    }

    /** Only tasks that one of these tools started. */
    public TaskQuery ofTools(Set<String> names) {
        return new TaskQuery(
                sessionId, label, standing, text, names, idPrefix, parentTaskId, batch, withoutCleared, limit, after);
    }

    /** Only tasks whose ids begin like this. */
    public TaskQuery withPrefix(String prefix) {
        return new TaskQuery(
                sessionId, label, standing, text, tools, prefix, parentTaskId, batch, withoutCleared, limit, after);
    }

    /** Only tasks that this one started, or of any if null. */
    public TaskQuery below(@Nullable String parent) {
        return new TaskQuery(
                sessionId, label, standing, text, tools, idPrefix, parent, batch, withoutCleared, limit, after);
    }

    /** Only tasks of this batch, or of any if null. */
    public TaskQuery inBatch(@Nullable String name) {
        return new TaskQuery(
                sessionId, label, standing, text, tools, idPrefix, parentTaskId, name, withoutCleared, limit, after);
    }

    /** Only tasks that were not cleared. */
    public TaskQuery notCleared() {
        return new TaskQuery(
                sessionId, label, standing, text, tools, idPrefix, parentTaskId, batch, true, limit, after);
    }

    /** Whether the task matches the criteria, regardless of the page. */
    public boolean matches(TaskRow row) {
        return matches(row.asked(), row.taskId(), row.phase(), row.outcome());
    }

    /** Whether a task in this state matches the criteria, regardless of the page. */
    public boolean matches(@Nullable SpawnSpec spec, String taskId, Phase phase, @Nullable Outcome outcome) {
        return (standing == null || standing.includes(phase, outcome)) && concerns(spec, taskId);
    }

    /** Whether the task matches all criteria that do not change while it lives. */
    public boolean concerns(@Nullable SpawnSpec spec, String taskId) {
        String title = spec == null ? null : spec.title();
        TaskLabel taskLabel = spec == null ? null : spec.label();
        TaskLinks links = spec instanceof ToolTaskSpawned spawned ? spawned.links() : null;
        return (sessionId == null || (spec != null && sessionId.equals(spec.originSessionId())))
                && (label == null || label.equals(taskLabel))
                && (tools.isEmpty() || (spec != null && tools.contains(spec.toolName())))
                && (idPrefix == null || taskId.startsWith(idPrefix))
                && (parentTaskId == null || (links != null && parentTaskId.equals(links.parentTaskId())))
                && (batch == null || (links != null && batch.equals(links.batch())))
                && (text == null
                        || (title != null && contains(title, text))
                        || (taskLabel != null && contains(taskLabel.text(), text))
                        || (spec != null && contains(CommandText.of(spec), text)));
    }

    private static boolean contains(String whole, String text) {
        return whole.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }

    /** Whether living tasks alone may fill the result: the first page of tasks that have not ended, or of all. */
    public boolean mayBeLiving() {
        return after == null && (standing == null || !standing.phases().isEmpty());
    }
}
