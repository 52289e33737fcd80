package io.penstock.engine.host;

import io.penstock.engine.log.TaskQuery;
import java.time.Duration;

/** Limits of hosts and their tasks. */
final class HostLimits {

    /** The contract's limit for a switch. */
    static final long SWITCH_MS = 5_000;

    /** For a program to open its conversation, more than the engine gives it. */
    static final long OPEN_MS = 150_000;

    /** For a place among the running agents: a person waits. */
    static final long PLACE_MS = 5_000;

    /** For a program to end: TERM, its grace, KILL, and the rest of its output. */
    static final long STOP_MS = 30_000;

    /** For what a dead server left to be ended. */
    static final long LOST_MS = 10_000;

    /** For the database to list the tasks; then the list is that in memory, so that {@code get_state} answers within a second. */
    static final long LIST_MS = 800;

    /** The pages of tasks in one answer of {@code get_state}: 1,000 tasks, some 200 KiB. */
    static final int LISTED_PAGES = 1_000 / TaskQuery.USUAL_LIMIT;

    /** Of a run: it ends when a host stops it. */
    static final Duration RUN = Duration.ofDays(365);

    private HostLimits() {}
}
