package io.penstock.engine.log;

import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are asked for: those of which all that is given here is true.
 *
 * @param sessionId the session that they were spawned from
 * @param label exactly this; the first of a session's with it is the one that it has called so last
 * @param text in their title or label, in capital letters or not
 * @param limit how many at most
 * @param after where the page before ended
 */
public record TaskQuery(
        @Nullable String sessionId,
        @Nullable TaskLabel label,
        @Nullable TaskStanding standing,
        @Nullable String text,
        int limit,
        @Nullable TaskCursor after) {

    /** A page that people read. */
    public static final int USUAL_LIMIT = 50;

    /** The newest, whatever they are. */
    public static final TaskQuery NEWEST = new TaskQuery(null, null, null, null, USUAL_LIMIT, null);

    public TaskQuery {
        if (sessionId != null) {
            StreamId.session(sessionId);
        }
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A title has no NUL character, so text must not have one either");
        }
        if (limit < 1 || limit > Limits.PAGE_TASKS) {
            throw new IllegalArgumentException("limit is " + limit + " and must be from 1 to " + Limits.PAGE_TASKS);
        }
    }
}
