package io.penstock.engine.host;

import io.penstock.frames.ContractStatus;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;

/** The state of a task in the words of the contract. */
final class TaskWords {

    /** For a task that lives, but was not opened by this server: it was left by a dead one, and its end is about to be recorded. */
    static final String LEFT = "errored";

    private TaskWords() {}

    static String of(TaskState state, boolean selected) {
        boolean starts = state.phase().isLive() && state.phase() != Phase.STOPPING && !isReady(state);
        return ContractStatus.taskd(starts ? Phase.STARTING : state.phase(), state.outcome(), selected);
    }

    /** Whether the conversation is open. */
    static boolean isReady(TaskState state) {
        return switch (state.phase()) {
            case IDLE -> true;
            case RUNNING, AWAITING_INPUT -> state.runningTurn() != null;
            case ABSENT, QUEUED, STARTING, STOPPING, ENDED -> false;
        };
    }

    static boolean isStopping(TaskState state) {
        return state.phase() == Phase.STOPPING || state.phase() == Phase.ENDED;
    }

    static boolean wasStopped(TaskState ended) {
        return of(ended, false).equals("stopped");
    }
}
