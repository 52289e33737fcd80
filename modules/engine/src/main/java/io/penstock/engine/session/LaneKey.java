package io.penstock.engine.session;

import org.jspecify.annotations.Nullable;

/**
 * Names a lane: the tasks that share a limit and wait in order.
 *
 * @param session null for tasks without one, which have only the node's limit
 * @param serial whether its tasks run one after the other
 */
public record LaneKey(@Nullable String session, boolean serial) {

    /** The lane of a session's tasks, unless they run one after the other. */
    public static LaneKey of(@Nullable String session) {
        return new LaneKey(session, false);
    }

    /** Its name for people: the session, or "node" for tasks without one. */
    public String name() {
        return session == null || session.isBlank() ? "node" : session;
    }

    /** The number of its tasks that run at once. */
    int limit(Quotas quotas) {
        if (serial) {
            return 1;
        }
        return session == null ? Integer.MAX_VALUE : quotas.runningPerSession();
    }
}
