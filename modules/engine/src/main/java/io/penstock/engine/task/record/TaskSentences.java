package io.penstock.engine.task.record;

import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.WholeCharacters;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sentences for frames and errors, cut to the length that a frame may have. */
public final class TaskSentences {

    private static final int NAMED = 100;

    private TaskSentences() {}

    public static String fitting(String text) {
        return WholeCharacters.fitting(text, Limits.TEXT_CHARS);
    }

    /** For an output that is recorded but no longer stored. */
    public static String removed(String taskId, TaskState state, Channel channel) {
        Long endedAtMs = state.run().endedAtMs();
        return "The output " + channel.wireName() + " of the task " + taskId
                + " was removed, because outputs are kept for a limited time"
                + (endedAtMs == null ? "" : "; the task ended at " + Instant.ofEpochMilli(endedAtMs))
                + ". Its events still say when it was written, and how much";
    }

    /** For a deleted output. */
    public static String deleted(String taskId, Channel channel, Deletion deletion) {
        return "The output " + channel.wireName() + " of the task " + taskId + " was deleted at " + deletion.at()
                + " by " + deletion.by() + ". Its events still say when it was written, and how much";
    }

    /** The error of a task that was stopped before the program of this run was started. */
    public static String neverStarted(int run, @Nullable String reason) {
        return fitting((run == 1 ? "" : "run " + run + " was ") + "never started: it was stopped"
                + (reason == null ? "" : " (" + reason + ")") + " before its program was");
    }

    public static String names(List<Survivor> alive) {
        String names = alive.stream()
                .limit(NAMED)
                .map(survivor -> survivor.name() + " (pid " + survivor.pid() + ")")
                .collect(Collectors.joining(", "));
        return alive.size() <= NAMED ? names : names + " and " + (alive.size() - NAMED) + " more";
    }

    /** How a program ended. */
    public static String of(ProcessExit exit) {
        return switch (exit) {
            case ProcessExit.Exited exited -> "it exited with code " + exited.code();
            case ProcessExit.Killed killed -> "it was killed by signal " + killed.signal();
            case ProcessExit.Unseen unseen -> unseen.why();
        };
    }
}
