package io.penstock.frames;

import java.util.Locale;

/** The phase of a task's life. {@code queued → starting → running ⇄ (awaiting_input | idle) → stopping → ended}. */
public enum Phase {
    /** Nothing is recorded yet. Never sent to clients. */
    ABSENT,
    QUEUED,
    STARTING,
    RUNNING,
    /** The program waits for typed input, or a policy question about it waits for an answer. */
    AWAITING_INPUT,
    /** An agent program that has settled and waits for its next turn. */
    IDLE,
    /** Asked to stop, but not ended yet. */
    STOPPING,
    ENDED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }

    /** Whether a program may be alive, so that output and control operations make sense. */
    public boolean isLive() {
        return switch (this) {
            case RUNNING, AWAITING_INPUT, IDLE, STOPPING -> true;
            case ABSENT, QUEUED, STARTING, ENDED -> false;
        };
    }

    /** Whether a {@code tool_task_status} frame may lead from here to {@code to}; other frames have their own rules. */
    public boolean mayBecome(Phase to) {
        return switch (this) {
            // A refused spawn leaves a single status: failed.
            case ABSENT -> to == ENDED;
            case QUEUED -> to == STARTING || to == RUNNING || to == AWAITING_INPUT || to == ENDED;
            case STARTING -> to == RUNNING || to == ENDED;
            case RUNNING -> to == AWAITING_INPUT || to == ENDED;
            case AWAITING_INPUT -> to == QUEUED || to == STARTING || to == RUNNING || to == ENDED;
            case IDLE, STOPPING -> to == ENDED;
            case ENDED -> false;
        };
    }
}
