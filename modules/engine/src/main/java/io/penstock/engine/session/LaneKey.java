package io.penstock.engine.session;

import org.jspecify.annotations.Nullable;

/**
 * Names a lane: the tasks that share a limit and wait in order.
 *
 * @param session null for tasks without one, which have only the node's limit
 */
public record LaneKey(@Nullable String session, Kind kind) {

    /** Which tasks of the session. */
    public enum Kind {
        /** Those that run at the same time. */
        PARALLEL,
        /** Those that run one after the other. */
        SERIAL,
        /** Agents, which have limits of their own. */
        AGENTS
    }

    public LaneKey(@Nullable String session, boolean serial) {
        this(session, serial ? Kind.SERIAL : Kind.PARALLEL);
    }

    /** The lane of a session's tasks, unless they run one after the other. */
    public static LaneKey of(@Nullable String session) {
        return new LaneKey(session, Kind.PARALLEL);
    }

    /** The lane of a session's agents. */
    public static LaneKey agents(@Nullable String session) {
        return new LaneKey(session, Kind.AGENTS);
    }

    /** Its name for people: the session, or "node" for tasks without one. */
    public String name() {
        return session == null || session.isBlank() ? "node" : session;
    }

    /** The number of its tasks that run at once. */
    int limit(Quotas quotas) {
        if (kind == Kind.SERIAL) {
            return 1;
        }
        return session == null ? Integer.MAX_VALUE : quotas.runningPerSession();
    }
}
