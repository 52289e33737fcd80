package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task entered another phase. The last frame of a run has phase {@code ended}.
 *
 * @param ending present if and only if the phase is {@code ended}
 * @param logs the final sizes of the outputs; at the end only
 * @param error the sentence for people about a failure
 * @param question the question of policy in phase {@code awaiting_input}; null if the program itself waits
 * @param refused the request of a refused spawn; null in all other frames, and in those recorded before this field existed
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
        Actor actor,
        @Nullable RefusedSpawn refused)
        implements TaskFrame {

    public ToolTaskStatus {
        logs = List.copyOf(logs);
        Checks.notNegative(startedAtMs, "started_at_ms");
        Checks.notNegative(endedAtMs, "ended_at_ms");
        error = Checks.textOrNull(error, "error");
        question = Checks.textOrNull(question, "question");
        if (phase == Phase.ABSENT) {
            throw new IllegalArgumentException("a status never has phase absent");
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
            throw new IllegalArgumentException("logs are recorded at the end, not in phase " + phase.wireName());
        }
        for (int i = 1; i < logs.size(); i++) {
            Channel one = logs.get(i - 1).log().channel();
            Channel next = logs.get(i).log().channel();
            if (next.compareTo(one) <= 0) {
                throw new IllegalArgumentException(
                        "logs are recorded once per channel, in the order stdout, stderr, pty, not " + next.wireName()
                                + " after " + one.wireName());
            }
        }
        if (question != null && phase != Phase.AWAITING_INPUT) {
            throw new IllegalArgumentException(
                    "A question is asked in phase awaiting_input, not in phase " + phase.wireName());
        }
        if (phase == Phase.RUNNING && startedAtMs == null) {
            throw new IllegalArgumentException("a status with phase running needs started_at_ms");
        }
        if (ending != null && ending.outcome() == Outcome.FAILED && (error == null || error.isBlank())) {
            throw new IllegalArgumentException("a failed task needs an error");
        }
        if (refused != null && (ending == null || ending.outcome() != Outcome.FAILED)) {
            throw new IllegalArgumentException("A spawn that was refused has the outcome failed, not " + ending);
        }
        if (ending != null && ending.outcome() == Outcome.LOST && (error == null || !error.startsWith("lost: "))) {
            throw new IllegalArgumentException("the error of a lost task says what is known after \"lost: \"");
        }
    }

    /** For an accepted task. */
    public ToolTaskStatus(
            Phase phase,
            @Nullable Ending ending,
            @Nullable Long startedAtMs,
            @Nullable Long endedAtMs,
            List<LogEnd> logs,
            @Nullable String error,
            @Nullable String question,
            Cause cause,
            Actor actor) {
        this(phase, ending, startedAtMs, endedAtMs, logs, error, question, cause, actor, null);
    }

    /** The only frame of a refused spawn. */
    public static ToolTaskStatus refusal(RefusedSpawn refused, long atMs, String error, Cause cause, Actor actor) {
        return new ToolTaskStatus(
                Phase.ENDED, Ending.failed(), null, atMs, List.of(), error, null, cause, actor, refused);
    }

    public static ToolTaskStatus running(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, Cause.REQUEST, Actor.SERVER);
    }

    public static ToolTaskStatus awaiting(String question, Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.AWAITING_INPUT, null, null, null, List.of(), null, question, cause, actor);
    }

    /** The program waits for typed input. */
    public static ToolTaskStatus awaitingInput(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.AWAITING_INPUT, null, startedAtMs, null, List.of(), null, null, Cause.PROGRAM, Actor.SERVER);
    }

    /** The program no longer waits for input. */
    public static ToolTaskStatus runningAgain(long startedAtMs, Cause cause) {
        return new ToolTaskStatus(Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, cause, Actor.SERVER);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STATUS;
    }
}
