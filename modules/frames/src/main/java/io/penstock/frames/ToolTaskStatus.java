package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task went into another phase. The last frame of a run is one with phase {@code ended}.
 *
 * @param ending present exactly if the phase is {@code ended}
 * @param logs what became of the output; at the end only
 * @param error for a failure, what to tell people
 * @param question what is asked, while the phase is {@code awaiting_input}
 */
public record ToolTaskStatus(
        Phase phase,
        @Nullable Ending ending,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        List<LogEnd> logs,
        @Nullable String error,
        @Nullable String question,
        Cause cause,
        Actor actor)
        implements TaskFrame {

    public ToolTaskStatus {
        logs = List.copyOf(logs);
        Checks.notNegative(startedAtMs, "started_at_ms");
        Checks.notNegative(endedAtMs, "ended_at_ms");
        Checks.text(error, "error");
        Checks.text(question, "question");
        if (phase == Phase.ABSENT) {
            throw new IllegalArgumentException("No frame says that a task is absent");
        }
        if ((phase == Phase.ENDED) != (ending != null)) {
            throw new IllegalArgumentException("A status has an outcome exactly if its phase is ended: phase "
                    + phase.wireName() + ", ending " + ending);
        }
        if ((phase == Phase.ENDED) != (endedAtMs != null)) {
            throw new IllegalArgumentException("A status has ended_at_ms exactly if its phase is ended: phase "
                    + phase.wireName() + ", ended_at_ms " + endedAtMs);
        }
        if (phase != Phase.ENDED && !logs.isEmpty()) {
            throw new IllegalArgumentException(
                    "What became of the output is told at the end, not in phase " + phase.wireName());
        }
        if (phase == Phase.RUNNING && startedAtMs == null) {
            throw new IllegalArgumentException("A status with phase running says started_at_ms");
        }
        if (ending != null && ending.outcome() == Outcome.FAILED && (error == null || error.isBlank())) {
            throw new IllegalArgumentException("A failed task says why, in error");
        }
    }

    public static ToolTaskStatus running(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, Cause.REQUEST, Actor.SERVER);
    }

    public static ToolTaskStatus awaiting(String question, Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.AWAITING_INPUT, null, null, null, List.of(), null, question, cause, actor);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STATUS;
    }
}
