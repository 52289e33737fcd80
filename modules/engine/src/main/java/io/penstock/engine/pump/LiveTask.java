package io.penstock.engine.pump;

import io.penstock.engine.log.TaskRow;
import io.penstock.frames.TaskState;

/**
 * A task that a shard has, as it is now.
 *
 * @param begunAtNanos when it began on this server, by a clock that all shards share
 */
record LiveTask(String taskId, TaskState state, long begunAtNanos) {

    /** As a list would have it. */
    TaskRow row() {
        return new TaskRow(
                begunAtNanos,
                taskId,
                state.phase(),
                state.outcome(),
                state.run().startedAtMs(),
                state.run().endedAtMs(),
                state.nextSeq(),
                state.spec(),
                null);
    }
}
