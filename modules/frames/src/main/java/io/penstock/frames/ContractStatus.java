package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The status words of each contract: pure mappings of the one canonical state. */
public final class ContractStatus {

    private ContractStatus() {}

    /** Contract tool-tasks. Null if there is no such task; the answer is then 404. */
    public static @Nullable String toolTasks(Phase phase, @Nullable Outcome outcome) {
        return switch (phase) {
            case ABSENT -> null;
            case QUEUED, STARTING -> "queued";
            case RUNNING, AWAITING_INPUT, IDLE, STOPPING -> "running";
            case ENDED ->
                switch (ended(outcome)) {
                    case SUCCEEDED, NONZERO -> "exited";
                    case FAILED, LOST -> "failed";
                    case CANCELLED, TIMED_OUT -> "cancelled";
                };
        };
    }

    /** Contract task-tools. */
    public static @Nullable String taskTools(Phase phase, @Nullable Outcome outcome) {
        return switch (phase) {
            case ABSENT -> null;
            case QUEUED, STARTING -> "spawned";
            case RUNNING, AWAITING_INPUT, STOPPING -> "running";
            case IDLE -> "completed";
            case ENDED ->
                switch (ended(outcome)) {
                    case SUCCEEDED -> "completed";
                    case NONZERO, FAILED, LOST -> "failed";
                    case CANCELLED -> "killed";
                    case TIMED_OUT -> "timeout";
                };
        };
    }

    /** Contract taskd-rpc, in which a task is selected, or ready to be. */
    public static String taskd(Phase phase, @Nullable Outcome outcome, boolean selected) {
        return switch (phase) {
            case ABSENT -> "missing";
            case QUEUED, STARTING -> "creating";
            case RUNNING, AWAITING_INPUT, STOPPING -> "active";
            case IDLE -> selected ? "active" : "ready";
            case ENDED ->
                switch (ended(outcome)) {
                    case SUCCEEDED, CANCELLED -> "stopped";
                    case NONZERO, FAILED, TIMED_OUT, LOST -> "errored";
                };
        };
    }

    /**
     * Contract shell-exec.
     *
     * @param requeued whether a lost run is retried
     */
    public static @Nullable String shell(Phase phase, @Nullable Outcome outcome, boolean requeued) {
        return switch (phase) {
            case ABSENT -> null;
            case QUEUED, STARTING -> "queued";
            case RUNNING, AWAITING_INPUT, IDLE, STOPPING -> "running";
            case ENDED ->
                switch (ended(outcome)) {
                    case SUCCEEDED -> "succeeded";
                    case NONZERO, FAILED -> "failed";
                    case CANCELLED -> "canceled";
                    case TIMED_OUT -> "timed_out";
                    case LOST -> requeued ? "queued" : "failed";
                };
        };
    }

    /** Contract background-task, in which a task that works on a resumed conversation has its own word. */
    public static @Nullable String backgroundTask(
            Phase phase, @Nullable Outcome outcome, TaskTurnStarted.@Nullable Kind runningTurn) {
        return switch (phase) {
            case ABSENT -> null;
            case QUEUED, STARTING -> "running";
            case RUNNING -> runningTurn == TaskTurnStarted.Kind.RESUME ? "resumed" : "running";
            case AWAITING_INPUT, STOPPING -> "running";
            case IDLE -> "completed";
            case ENDED ->
                switch (ended(outcome)) {
                    case SUCCEEDED -> "completed";
                    case NONZERO, FAILED, TIMED_OUT, LOST -> "error";
                    case CANCELLED -> "cancelled";
                };
        };
    }

    private static Outcome ended(@Nullable Outcome outcome) {
        if (outcome == null) {
            throw new IllegalArgumentException("An ended task has an outcome");
        }
        return outcome;
    }
}
