package io.penstock.server.tools.background;

import io.penstock.frames.ContractStatus;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import java.util.List;
import java.util.Objects;

/** The five states of the contract. */
final class BackgroundStatus {

    static final String RUNNING = "running";
    static final String COMPLETED = "completed";
    static final String ERROR = "error";
    static final String CANCELLED = "cancelled";
    static final String RESUMED = "resumed";

    static final List<String> WORDS = List.of(RUNNING, COMPLETED, ERROR, CANCELLED, RESUMED);

    private BackgroundStatus() {}

    static String of(TaskState state) {
        return isBeingResumed(state)
                ? RESUMED
                : Objects.requireNonNull(
                        ContractStatus.backgroundTask(state.phase(), state.outcome(), state.runningTurn()));
    }

    /**
     * From the acceptance of a resume to the end of its turn: its program is queued, is started, opens the conversation, or works on the
     * prompt, a second time if the server died meanwhile. A first turn that runs again has no result yet.
     */
    private static boolean isBeingResumed(TaskState state) {
        boolean resumed = state.agent().resumes() > 0
                || (state.turns() > 0 && state.run().number() > 1 && state.result() != null);
        return resumed
                && (state.phase() == Phase.QUEUED || state.phase() == Phase.STARTING || state.phase() == Phase.RUNNING);
    }
}
