package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a task's present run.
 *
 * @param number 1 for the first
 * @param stop the request under which it is being stopped
 * @param stopped whether that request is why the program is gone
 * @param question what is asked, while it waits for an answer
 * @param ending how it ended, once it has
 */
public record RunState(
        int number,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        @Nullable ToolTaskCancelRequested stop,
        boolean stopped,
        @Nullable String question,
        @Nullable Ending ending,
        @Nullable String error,
        @Nullable Cause cause,
        @Nullable Actor actor,
        List<LogEnd> logs) {

    public RunState {
        Checks.atLeastOne(number, "number");
        Checks.notNegative(startedAtMs, "started_at_ms");
        Checks.notNegative(endedAtMs, "ended_at_ms");
        question = Checks.textOrNull(question, "question");
        error = Checks.textOrNull(error, "error");
        logs = List.copyOf(logs);
        if (stopped && stop == null) {
            throw new IllegalArgumentException("What was stopped was asked to");
        }
    }

    public static RunState number(int number) {
        return new RunState(number, null, null, null, false, null, null, null, null, null, List.of());
    }

    RunState after(ToolTaskStatus status) {
        return new RunState(
                number,
                status.startedAtMs() == null ? startedAtMs : status.startedAtMs(),
                status.endedAtMs(),
                stop,
                stopped,
                status.question(),
                status.ending(),
                status.error(),
                status.cause(),
                status.actor(),
                status.logs());
    }

    RunState stopping(ToolTaskCancelRequested request) {
        return new RunState(
                number, startedAtMs, null, request, false, null, null, null, request.cause(), request.actor(), logs);
    }

    RunState stopCarriedOut() {
        return new RunState(number, startedAtMs, null, stop, true, null, null, null, cause, actor, logs);
    }
}
