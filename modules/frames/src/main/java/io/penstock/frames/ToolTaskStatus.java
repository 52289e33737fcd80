package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task went into another phase. The last frame of a run is one with phase {@code ended}.
 *
 * @param ending present exactly if the phase is {@code ended}
 * @param logs what became of the output; at the end only
 * @param error for a failure, what to tell people
 * @param question what policy asks, while the phase is {@code awaiting_input}; null where it is the program that waits
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
        error = Checks.textOrNull(error, "error");
        question = Checks.textOrNull(question, "question");
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
        for (int i = 1; i < logs.size(); i++) {
            Channel one = logs.get(i - 1).log().channel();
            Channel next = logs.get(i).log().channel();
            if (next.compareTo(one) <= 0) {
                throw new IllegalArgumentException(
                        "Logs are told once per channel, in the order stdout, stderr, pty, not " + next.wireName()
                                + " after " + one.wireName());
            }
        }
        if (question != null && phase != Phase.AWAITING_INPUT) {
            throw new IllegalArgumentException(
                    "A question is asked in phase awaiting_input, not in phase " + phase.wireName());
        }
        if (phase == Phase.RUNNING && startedAtMs == null) {
            throw new IllegalArgumentException("A status with phase running says started_at_ms");
        }
        if (ending != null && ending.outcome() == Outcome.FAILED && (error == null || error.isBlank())) {
            throw new IllegalArgumentException("A failed task says why, in error");
        }
        if (ending != null && ending.outcome() == Outcome.LOST && (error == null || !error.startsWith("lost: "))) {
            throw new IllegalArgumentException("A lost task says in error what is known, after \"lost: \"");
        }
    }

    public static ToolTaskStatus running(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, Cause.REQUEST, Actor.SERVER);
    }

    public static ToolTaskStatus awaiting(String question, Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.AWAITING_INPUT, null, null, null, List.of(), null, question, cause, actor);
    }

    /** The program waits for what is typed on its terminal. */
    public static ToolTaskStatus awaitingInput() {
        return new ToolTaskStatus(
                Phase.AWAITING_INPUT, null, null, null, List.of(), null, null, Cause.PROGRAM, Actor.SERVER);
    }

    /** The program does not wait for input any more. */
    public static ToolTaskStatus runningAgain(long startedAtMs, Cause cause) {
        return new ToolTaskStatus(Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, cause, Actor.SERVER);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STATUS;
    }
}
