package io.penstock.server.config;

import io.penstock.engine.agent.TurnRates;
import io.penstock.frames.Limits;
import io.penstock.server.tools.agents.TaskToolSettings;

/** Reads the table of the limits of agent tasks. */
final class TaskTableReader {

    /** More at once than any machine runs: a mistake. */
    private static final int MOST_AGENTS = 10_000;

    /** Ten years. */
    private static final int MOST_SECONDS = 10 * 365 * 24 * 3600;

    private static final int MOST_TURNS = 1_000_000;

    private final TomlTable tasks;

    TaskTableReader(TomlTable tasks) {
        this.tasks = tasks.onlyWith(
                "enabled",
                "max_concurrent_per_session",
                "max_concurrent_global",
                "default_timeout_secs",
                "max_timeout_secs",
                "persist",
                "max_depth",
                "orphan_ttl_secs",
                "rate");
        // A key of the contract; there is no way but the one that it means.
        tasks.flag("persist", true);
    }

    TaskToolSettings tools() {
        TaskToolSettings usual = TaskToolSettings.DEFAULT;
        long defaultTimeout = seconds("default_timeout_secs", usual.defaultTimeoutSecs(), 1);
        long maxTimeout = seconds("max_timeout_secs", usual.maxTimeoutSecs(), 1);
        if (defaultTimeout > maxTimeout) {
            throw tasks.broken(
                    "default_timeout_secs",
                    "must be at most max_timeout_secs, which is " + maxTimeout + ", not " + defaultTimeout);
        }
        return new TaskToolSettings(
                tasks.flag("enabled", usual.enabled()),
                tasks.number("max_concurrent_per_session", usual.maxConcurrentPerSession(), 1, MOST_AGENTS),
                tasks.number("max_concurrent_global", usual.maxConcurrentGlobal(), 1, MOST_AGENTS),
                defaultTimeout,
                maxTimeout,
                tasks.number("max_depth", usual.maxDepth(), 0, Limits.TASK_DEPTH),
                seconds("orphan_ttl_secs", usual.orphanTtlSecs(), 1));
    }

    private long seconds(String key, long usual, int least) {
        return tasks.number(key, Math.toIntExact(usual), least, MOST_SECONDS);
    }

    TurnRates rates() {
        TomlTable rate = tasks.table("rate").onlyWith("turns_per_minute", "background_turns_per_minute");
        return new TurnRates(
                rate.number("turns_per_minute", 0, 0, MOST_TURNS),
                rate.number("background_turns_per_minute", 0, 0, MOST_TURNS));
    }
}
