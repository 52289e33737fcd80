package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The state machine of a task: which frame may follow which state, and what it makes of it. */
final class TaskFold {

    private TaskFold() {}

    static TaskState apply(TaskState state, Frame frame) {
        if (frame.seq() != state.nextSeq()) {
            throw illegal(frame, state, "the next seq is " + state.nextSeq());
        }
        return switch (frame.body()) {
            case TaskFrame body -> apply(state, frame, body);
            case UnknownFrame _ -> state.counted();
            case SessionFrame _ -> throw illegal(frame, state, "it tells of a session");
        };
    }

    private static TaskState apply(TaskState state, Frame frame, TaskFrame body) {
        boolean firstIsMissing = state.phase() == Phase.ABSENT
                && !(body instanceof ToolTaskSpawned)
                && !(body instanceof ToolTaskStatus);
        if (firstIsMissing) {
            throw illegal(frame, state, "a stream begins with tool_task_spawned, or with the status of a refusal");
        }
        return switch (body) {
            case ToolTaskSpawned spawned -> {
                require(state.phase() == Phase.ABSENT, frame, state, "a task is spawned once");
                yield state.spawned(spawned);
            }
            case ToolTaskStatus status -> status(state, frame, status);
            case ToolTaskOutputDelta delta -> delta(state, frame, delta);
            case ToolTaskStdinWritten _ -> {
                requireTerminal(state, frame);
                yield state.counted();
            }
            case ToolTaskResized resized -> {
                requireTerminal(state, frame);
                yield state.sized(resized.rows(), resized.cols());
            }
            case ToolTaskSignalled _ -> {
                require(state.phase().isLive(), frame, state, "no program runs");
                yield state.counted();
            }
            case ToolTaskCancelRequested request -> {
                require(
                        state.phase() != Phase.STOPPING && state.phase() != Phase.ENDED,
                        frame,
                        state,
                        "it is stopped once in a run");
                yield state.at(Phase.STOPPING, state.run().stopping(request));
            }
            case ToolTaskCancelled _ -> {
                require(
                        state.phase() == Phase.STOPPING && !state.run().stopped(),
                        frame,
                        state,
                        "it follows one tool_task_cancel_requested");
                yield state.at(Phase.STOPPING, state.run().stopCarriedOut());
            }
            case TaskTurnStarted turn -> turnStarted(state, frame, turn);
            case TaskTurnSettled turn -> turnSettled(state, frame, turn);
            case TaskRunStarted started -> {
                require(state.phase() == Phase.ENDED, frame, state, "a new run begins after the end of the one before");
                int next = state.run().number() + 1;
                require(started.run() == next, frame, state, "the next run is number " + next);
                yield state.at(Phase.QUEUED, RunState.number(next));
            }
            case TaskUsage used -> {
                notAfterTheEnd(state, frame);
                TaskUsage sum = state.usage();
                yield state.used(new TaskUsage(
                        sum.inputTokens() + used.inputTokens(),
                        sum.outputTokens() + used.outputTokens(),
                        sum.costMicroUsd() + used.costMicroUsd()));
            }
            case TaskCleared _ -> {
                require(state.phase() == Phase.ENDED, frame, state, "only a task that has ended is cleared");
                yield state.asCleared();
            }
            case ArtifactWritten _,
                    TaskPolicyVerdict _,
                    TaskQueued _,
                    TaskWatcherHit _,
                    TaskScreenKeyframe _,
                    TaskNotice _ -> {
                notAfterTheEnd(state, frame);
                yield state.counted();
            }
        };
    }

    private static TaskState status(TaskState state, Frame frame, ToolTaskStatus status) {
        Phase from = state.phase();
        require(from.mayBecome(status.phase()), frame, state, "from here that phase is not reached by a status");
        Ending ending = status.ending();
        if (ending != null) {
            require(
                    from != Phase.ABSENT || ending.outcome() == Outcome.FAILED,
                    frame,
                    state,
                    "a spawn that left no spec was refused, so its outcome is failed");
            Outcome expected = outcomeOfStop(state.run());
            boolean saysStopped = ending.outcome() == Outcome.CANCELLED || ending.outcome() == Outcome.TIMED_OUT;
            if (ending.outcome() != Outcome.LOST && (expected != null || saysStopped)) {
                require(
                        ending.outcome() == expected,
                        frame,
                        state,
                        expected == null
                                ? "nothing says that the stop was carried out: tool_task_cancelled is missing"
                                : "tool_task_cancelled was recorded, so the outcome is " + expected.wireName());
            }
        }
        return state.at(status.phase(), state.run().after(status));
    }

    private static @Nullable Outcome outcomeOfStop(RunState run) {
        ToolTaskCancelRequested stop = run.stop();
        if (stop == null || !run.stopped()) {
            return null;
        }
        return stop.cause() == Cause.TIMEOUT ? Outcome.TIMED_OUT : Outcome.CANCELLED;
    }

    private static TaskState delta(TaskState state, Frame frame, ToolTaskOutputDelta delta) {
        require(state.phase().isLive(), frame, state, "no program runs");
        ToolTaskSpawned spec = state.spec();
        require(
                spec != null && spec.executionMode().channels().contains(delta.channel()),
                frame,
                state,
                "the task has no channel " + delta.channel().wireName());
        long total = state.output().total(delta.channel());
        require(
                delta.offset() == total,
                frame,
                state,
                delta.channel().wireName() + " goes on at offset " + total + ", not at " + delta.offset());
        require(
                delta.bytesStored() >= state.output().stored(delta.channel()),
                frame,
                state,
                "what is stored does not shrink");
        return state.wrote(state.output().after(delta));
    }

    private static TaskState turnStarted(TaskState state, Frame frame, TaskTurnStarted turn) {
        boolean steers = turn.kind() == TaskTurnStarted.Kind.STEER || turn.kind() == TaskTurnStarted.Kind.FOLLOW_UP;
        require(
                state.phase() == Phase.IDLE
                        || (state.phase() == Phase.RUNNING && (steers || state.runningTurn() == null)),
                frame,
                state,
                "an agent takes a " + turn.kind().wireName() + " while it is idle" + (steers ? " or running" : ""));
        require(turn.turn() == state.turns() + 1, frame, state, "the next turn is number " + (state.turns() + 1));
        return state.turn(Phase.RUNNING, turn.turn(), turn.kind(), state.result());
    }

    private static TaskState turnSettled(TaskState state, Frame frame, TaskTurnSettled settled) {
        require(
                state.runningTurn() != null && state.phase() != Phase.AWAITING_INPUT,
                frame,
                state,
                "no turn is under way");
        require(settled.turn() == state.turns(), frame, state, "the turn under way is number " + state.turns());
        String result = settled.result() == null ? state.result() : settled.result();
        Phase phase = state.phase() == Phase.STOPPING ? Phase.STOPPING : Phase.IDLE;
        return state.turn(phase, state.turns(), null, result);
    }

    private static void requireTerminal(TaskState state, Frame frame) {
        require(state.phase().isLive(), frame, state, "no program runs");
        ToolTaskSpawned spec = state.spec();
        require(
                spec != null && spec.executionMode() == ExecutionMode.PTY,
                frame,
                state,
                "only a task in mode pty has a terminal");
    }

    private static void notAfterTheEnd(TaskState state, Frame frame) {
        require(state.phase() != Phase.ENDED, frame, state, "the run has ended");
    }

    private static void require(boolean holds, Frame frame, TaskState state, String why) {
        if (!holds) {
            throw illegal(frame, state, why);
        }
    }

    private static Failure illegal(Frame frame, TaskState state, String why) {
        String what = frame.body() instanceof ToolTaskStatus status
                ? frame.typeName() + " (" + status.phase().wireName() + ")"
                : frame.typeName();
        return new Failure(
                FailureCode.ILLEGAL_FRAME,
                "Frame " + frame.seq() + " of " + frame.stream() + ", " + what + ", cannot follow in phase "
                        + state.phase().wireName() + ": " + why);
    }
}
