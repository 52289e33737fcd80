package io.penstock.engine.log.drain;

import io.penstock.frames.Ending;
import io.penstock.frames.FrameBody;
import io.penstock.frames.FrameType;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskCleared;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * The effect of consecutive frames of a task on its row. Turns are ignored: they only alternate between running and
 * idle, and a client that lists a living task asks the task itself.
 */
public final class TaskChange {

    final long streamNo;

    /** Whether the first frame is among them, so that there is no row yet. */
    public boolean begins;

    public @Nullable SpawnSpec asked;

    @Nullable
    Long spawnedAtMs;

    /** Absent if no frame changes it. */
    public Phase phase = Phase.ABSENT;

    /** Null if no frame changes it. */
    public @Nullable Boolean pinned;

    /** Whether a frame clears it; that is for good. */
    public boolean cleared;

    public @Nullable Ending ending;

    public @Nullable Long startedAtMs;

    public @Nullable Long endedAtMs;

    /** Whether the start that the row records belongs to an earlier run. */
    boolean newRun;

    public @Nullable ToolTaskStatus toldEnd;

    public TaskChange(long streamNo) {
        this.streamNo = streamNo;
    }

    /** Whether frames of this type change a row. Tested for every frame; nearly all are output, which does not. */
    static boolean concerns(int type) {
        return type == FrameType.TOOL_TASK_SPAWNED.code()
                || type == FrameType.TOOL_TASK_STATUS.code()
                || type == FrameType.TOOL_TASK_CANCEL_REQUESTED.code()
                || type == FrameType.TASK_RUN_STARTED.code()
                || type == FrameType.TASK_PINNED.code()
                || type == FrameType.TASK_CLEARED.code();
    }

    public void add(long seq, long timestampMs, FrameBody body) {
        if (body instanceof ToolTaskSpawned spawned) {
            begins = true;
            asked = spawned;
            spawnedAtMs = timestampMs;
            enter(Phase.QUEUED, null);
        } else if (body instanceof ToolTaskStatus status) {
            if (seq == 0) {
                // A refused spawn leaves only a status.
                begins = true;
                asked = status.refused();
                spawnedAtMs = timestampMs;
            }
            enter(status.phase(), status);
        } else if (body instanceof ToolTaskCancelRequested) {
            enter(Phase.STOPPING, null);
        } else if (body instanceof TaskRunStarted) {
            newRun = true;
            startedAtMs = null;
            enter(Phase.QUEUED, null);
        } else if (body instanceof TaskPinned pin) {
            pinned = pin.pinned();
        } else if (body instanceof TaskCleared) {
            cleared = true;
        }
    }

    private void enter(Phase to, @Nullable ToolTaskStatus status) {
        phase = to;
        ending = status == null ? null : status.ending();
        endedAtMs = status == null ? null : status.endedAtMs();
        toldEnd = ending == null ? null : status;
        if (status != null && status.startedAtMs() != null) {
            startedAtMs = status.startedAtMs();
        }
    }
}
