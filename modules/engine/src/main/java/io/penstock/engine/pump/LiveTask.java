package io.penstock.engine.pump;

import io.penstock.engine.log.TaskRow;
import io.penstock.frames.TaskState;

/**
 * A living task in its current state.
 *
 * @param createdAtNanos when it was created or resumed on this server, by a clock that all shards share
 */
record LiveTask(String taskId, TaskState state, long createdAtNanos) {

    /** The row that the database would have. */
    TaskRow row() {
        return new TaskRow(
                createdAtNanos,
                taskId,
                state.phase(),
                state.outcome(),
                state.run().startedAtMs(),
                state.run().endedAtMs(),
                state.nextSeq(),
                state.spec(),
                null,
                state.pinned());
    }
}
