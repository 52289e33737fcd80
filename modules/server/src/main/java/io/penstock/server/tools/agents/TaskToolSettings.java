package io.penstock.server.tools.agents;

/**
 * The contract's configuration of background tasks.
 *
 * @param enabled whether there are the tools
 * @param maxConcurrentPerSession running agents of a session; more wait
 * @param maxConcurrentGlobal running agents of all sessions; more wait
 * @param defaultTimeoutSecs of a task whose spawn names none
 * @param maxTimeoutSecs the longest that a spawn may name
 * @param maxDepth how many tasks may be above a task
 * @param orphanTtlSecs how long tasks of a session that has ended are kept in the lists
 */
public record TaskToolSettings(
        boolean enabled,
        int maxConcurrentPerSession,
        int maxConcurrentGlobal,
        long defaultTimeoutSecs,
        long maxTimeoutSecs,
        int maxDepth,
        long orphanTtlSecs) {

    public static final TaskToolSettings DEFAULT = new TaskToolSettings(true, 5, 50, 3_600, 86_400, 3, 86_400);

    public TaskToolSettings {
        atLeast(1, maxConcurrentPerSession, "max_concurrent_per_session");
        atLeast(1, maxConcurrentGlobal, "max_concurrent_global");
        atLeast(1, defaultTimeoutSecs, "default_timeout_secs");
        atLeast(defaultTimeoutSecs, maxTimeoutSecs, "max_timeout_secs");
        atLeast(0, maxDepth, "max_depth");
        atLeast(1, orphanTtlSecs, "orphan_ttl_secs");
    }

    private static void atLeast(long least, long number, String name) {
        if (number < least) {
            throw new IllegalArgumentException(name + " must be " + least + " or more, not " + number);
        }
    }
}
