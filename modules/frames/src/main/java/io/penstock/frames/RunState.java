package io.penstock.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a task's current run.
 *
 * @param number 1 for the first
 * @param stop the request by which it is being stopped
 * @param stopped whether that request ended the program
 * @param inputClosed whether the input of a task on pipes was closed
 * @param woke whether its end has woken the agent that the spawn names, or tried to
 * @param question the open question of policy, if any
 * @param ending how it ended; null before
 */
public record RunState(
        int number,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        @Nullable ToolTaskCancelRequested stop,
        boolean stopped,
        boolean inputClosed,
        boolean woke,
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
            throw new IllegalArgumentException("a stopped run has the request to stop");
        }
    }

    public static RunState number(int number) {
        return new RunState(number, null, null, null, false, false, false, null, null, null, null, null, List.of());
    }

    RunState after(ToolTaskStatus status) {
        return new RunState(
                number,
                status.startedAtMs() == null ? startedAtMs : status.startedAtMs(),
                status.endedAtMs(),
                stop,
                stopped,
                inputClosed,
                woke,
                status.question(),
                status.ending(),
                status.error(),
                status.cause(),
                status.actor(),
                status.logs());
    }

    RunState stopping(ToolTaskCancelRequested request) {
        return new RunState(
                number,
                startedAtMs,
                null,
                request,
                false,
                inputClosed,
                woke,
                null,
                null,
                null,
                request.cause(),
                request.actor(),
                logs);
    }

    RunState stopCarriedOut() {
        return new RunState(
                number, startedAtMs, null, stop, true, inputClosed, woke, null, null, null, cause, actor, logs);
    }

    RunState withInputClosed() {
        return new RunState(
                number, startedAtMs, endedAtMs, stop, stopped, true, woke, question, ending, error, cause, actor, logs);
    }

    RunState withWoke() {
        return new RunState(
                number,
                startedAtMs,
                endedAtMs,
                stop,
                stopped,
                inputClosed,
                true,
                question,
                ending,
                error,
                cause,
                actor,
                logs);
    }
}
