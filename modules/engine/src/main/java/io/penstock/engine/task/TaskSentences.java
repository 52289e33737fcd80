package io.penstock.engine.task;

import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sentences that are made of what was found, however much that was, in the length that a frame takes. */
public final class TaskSentences {

    /** Of a stop that needed KILL. */
    static final String KILLED_AFTER_GRACE =
            "Did not react to TERM, killed after " + ProgramStop.GRACE_MS / 1000 + " s";

    private static final int NAMED = 100;

    private TaskSentences() {}

    public static String fitting(String text) {
        return text.length() <= Limits.TEXT_CHARS ? text : text.substring(0, Limits.TEXT_CHARS - 1) + "…";
    }

    /** Of an output that its task tells of and that is not there. */
    public static String removed(String taskId, TaskState state, Channel channel) {
        Long endedAtMs = state.run().endedAtMs();
        return "The output " + channel.wireName() + " of the task " + taskId
                + " has been removed, as outputs are kept for a time only"
                + (endedAtMs == null ? "" : "; the task ended at " + Instant.ofEpochMilli(endedAtMs))
                + ". Its events still tell when it was written, and how much";
    }

    /** Of an output that somebody deleted. */
    public static String deleted(String taskId, Channel channel, Deletion deletion) {
        return "The output " + channel.wireName() + " of the task " + taskId + " was deleted at " + deletion.at()
                + " by " + deletion.by() + ". Its events still tell when it was written, and how much";
    }

    /** Of one that was stopped while it waited. */
    static String neverStarted(@Nullable String reason) {
        return fitting("never started: it was stopped" + (reason == null ? "" : " (" + reason + ")")
                + " before its program was");
    }

    public static String names(List<Survivor> alive) {
        String names = alive.stream()
                .limit(NAMED)
                .map(survivor -> survivor.name() + " (pid " + survivor.pid() + ")")
                .collect(Collectors.joining(", "));
        return alive.size() <= NAMED ? names : names + " and " + (alive.size() - NAMED) + " more";
    }
}
