package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The state of a task: {@code state = fold(frames)}, for every prefix of the stream, on every node. All status answers come from here.
 *
 * @param nextSeq the seq that the next frame must have, and so the number of frames folded
 * @param spec the accepted request; null while absent, and always if the spawn was refused
 * @param refused the request of a refused spawn; null if the spawn was not refused, or if the request was not recorded
 * @param rows rows of the terminal as last set after the spawn; 0 before
 */
public record TaskState(
        long nextSeq,
        @Nullable ToolTaskSpawned spec,
        @Nullable RefusedSpawn refused,
        Phase phase,
        RunState run,
        OutputTotals output,
        Conversation conversation,
        int rows,
        int cols,
        TaskMarks marks) {

    /** The state before the first frame. */
    public static final TaskState ABSENT = new TaskState(
            0,
            null,
            null,
            Phase.ABSENT,
            RunState.number(1),
            OutputTotals.NONE,
            Conversation.NONE,
            0,
            0,
            TaskMarks.NONE);

    public TaskState {
        Checks.notNegative(nextSeq, "next_seq");
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
            throw new IllegalArgumentException("a stopping task has the request to stop");
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
     * Whether a program may be alive, so that output and control operations make sense. While policy's question about a program that was not
     * started yet is open, there is none.
     */
    public boolean mayHaveProgram() {
        return phase.isLive() && (phase != Phase.AWAITING_INPUT || run.startedAtMs() != null);
    }

    /** The request, whether accepted or refused; null while absent, and if a refusal did not record it. */
    public @Nullable SpawnSpec asked() {
        return spec == null ? refused : spec;
    }

    /** The number of turns started. */
    public int turns() {
        return conversation.turns();
    }

    /** The kind of the turn that an agent is working on. */
    public TaskTurnStarted.@Nullable Kind runningTurn() {
        return conversation.runningTurn();
    }

    /** The result of the last turn that had one. */
    public @Nullable String result() {
        return conversation.result();
    }

    /** The sum over all turns. */
    public TaskUsage usage() {
        return conversation.usage();
    }

    /** What the frames of an agent task say about its agent. */
    public AgentState agent() {
        return conversation.agent();
    }

    /** The same state, one frame later: for frames that do not change it. */
    TaskState counted() {
        return at(phase, run);
    }

    /** The state in another phase; the end of a run also ends its turn. */
    TaskState at(Phase phase, RunState run) {
        Conversation said = phase == Phase.ENDED ? conversation.withoutTurn() : conversation;
        return new TaskState(nextSeq + 1, spec, refused, phase, run, output, said, rows, cols, marks);
    }

    /** The state of a refused spawn. */
    TaskState refused(RefusedSpawn asked, RunState run) {
        return new TaskState(nextSeq + 1, null, asked, Phase.ENDED, run, output, conversation, rows, cols, marks);
    }

    TaskState spawned(ToolTaskSpawned spec) {
        return new TaskState(nextSeq + 1, spec, refused, Phase.QUEUED, run, output, conversation, rows, cols, marks);
    }

    /** The state at the start of another run. */
    TaskState run(int number) {
        RunState next = RunState.number(number);
        Conversation said = conversation.withoutTurn();
        return new TaskState(nextSeq + 1, spec, refused, Phase.QUEUED, next, output, said, rows, cols, marks);
    }

    TaskState wrote(OutputTotals output) {
        return new TaskState(nextSeq + 1, spec, refused, phase, run, output, conversation, rows, cols, marks);
    }

    TaskState with(Phase phase, Conversation said) {
        return new TaskState(nextSeq + 1, spec, refused, phase, run, output, said, rows, cols, marks);
    }

    TaskState sized(int rows, int cols) {
        return new TaskState(nextSeq + 1, spec, refused, phase, run, output, conversation, rows, cols, marks);
    }

    TaskState marked(TaskMarks marks) {
        return new TaskState(nextSeq + 1, spec, refused, phase, run, output, conversation, rows, cols, marks);
    }

    /** Whether it was cleared from its owner's lists. */
    public boolean cleared() {
        return marks.cleared();
    }

    /** Whether retention must keep it. */
    public boolean pinned() {
        return marks.pinned();
    }
}
