package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * What a task's frames mean together: {@code state = fold(frames)}, for every prefix of the stream, on every node. Status
 * answers come from here and nowhere else.
 *
 * @param nextSeq the seq that the next frame must have, so also the number of frames folded
 * @param spec what was asked for; null while absent, and for ever if the spawn was refused
 * @param runningTurn the kind of the turn that an agent is working on
 * @param turns how many turns were begun
 * @param rows of the terminal as last set after the spawn; 0 before
 */
public record TaskState(
        long nextSeq,
        @Nullable ToolTaskSpawned spec,
        Phase phase,
        RunState run,
        OutputTotals output,
        int turns,
        TaskTurnStarted.@Nullable Kind runningTurn,
        @Nullable String result,
        int rows,
        int cols,
        TaskUsage usage,
        boolean cleared) {

    private static final TaskUsage NO_USAGE = new TaskUsage(0, 0, 0);

    /** The state before the first frame. */
    public static final TaskState ABSENT = new TaskState(
            0, null, Phase.ABSENT, RunState.number(1), OutputTotals.NONE, 0, null, null, 0, 0, NO_USAGE, false);

    public TaskState {
        Checks.notNegative(nextSeq, "next_seq");
        Checks.notNegative(turns, "turns");
        if ((rows == 0) != (cols == 0)) {
            throw new IllegalArgumentException("A terminal has rows and columns, not " + rows + " by " + cols);
        }
        if (rows != 0) {
            Checks.terminalSide(rows, "rows");
            Checks.terminalSide(cols, "cols");
        }
        if ((phase == Phase.ENDED) != (run.ending() != null)) {
            throw new IllegalArgumentException("A run has an outcome exactly if its phase is ended: phase "
                    + phase.wireName() + ", ending " + run.ending());
        }
        if (phase == Phase.STOPPING && run.stop() == null) {
            throw new IllegalArgumentException("A task that is stopping was asked to");
        }
        if (spec == null && phase != Phase.ABSENT && phase != Phase.ENDED) {
            throw new IllegalArgumentException("A task in phase " + phase.wireName() + " has a spec");
        }
    }

    /** The state after one more frame; an {@link FailureCode#ILLEGAL_FRAME} failure if it cannot come next. */
    public TaskState after(Frame frame) {
        return TaskFold.apply(this, frame);
    }

    /** The state after all of these. */
    public TaskState after(Iterable<Frame> frames) {
        TaskState state = this;
        for (Frame frame : frames) {
            state = state.after(frame);
        }
        return state;
    }

    public static TaskState fold(Iterable<Frame> frames) {
        return ABSENT.after(frames);
    }

    public @Nullable Outcome outcome() {
        Ending ending = run.ending();
        return ending == null ? null : ending.outcome();
    }

    /**
     * Whether a program may be alive, so that output and control operations make sense. While policy's question about a
     * program that was not started yet waits for its answer, there is none.
     */
    public boolean mayHaveProgram() {
        return phase.isLive() && (phase != Phase.AWAITING_INPUT || run.startedAtMs() != null);
    }

    /** In another phase; the end of a run is the end of its turn too. */
    TaskState at(Phase phase, RunState run) {
        TaskTurnStarted.Kind turn = phase == Phase.ENDED ? null : runningTurn;
        return new TaskState(nextSeq + 1, spec, phase, run, output, turns, turn, result, rows, cols, usage, cleared);
    }

    /** The same state, one frame later: for frames that are history and nothing else. */
    TaskState counted() {
        return at(phase, run);
    }

    TaskState spawned(ToolTaskSpawned spec) {
        return new TaskState(
                nextSeq + 1, spec, Phase.QUEUED, run, output, turns, null, null, rows, cols, usage, cleared);
    }

    TaskState wrote(OutputTotals output) {
        return new TaskState(
                nextSeq + 1, spec, phase, run, output, turns, runningTurn, result, rows, cols, usage, cleared);
    }

    TaskState turn(Phase phase, int turns, TaskTurnStarted.@Nullable Kind runningTurn, @Nullable String result) {
        return new TaskState(
                nextSeq + 1, spec, phase, run, output, turns, runningTurn, result, rows, cols, usage, cleared);
    }

    TaskState sized(int rows, int cols) {
        return new TaskState(
                nextSeq + 1, spec, phase, run, output, turns, runningTurn, result, rows, cols, usage, cleared);
    }

    TaskState used(TaskUsage usage) {
        return new TaskState(
                nextSeq + 1, spec, phase, run, output, turns, runningTurn, result, rows, cols, usage, cleared);
    }

    TaskState asCleared() {
        return new TaskState(
                nextSeq + 1, spec, phase, run, output, turns, runningTurn, result, rows, cols, usage, true);
    }
}
