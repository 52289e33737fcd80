package io.penstock.engine.log;

import io.penstock.frames.Ending;
import io.penstock.frames.FrameBody;
import io.penstock.frames.FrameType;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * What some frames of a task, one after the other, make of its row. Turns are not followed: they lead between running and idle, and who
 * lists a task that lives asks itself what it does.
 */
final class TaskChange {

    final long streamNo;

    /** Whether the first frame is among them, so that there is no row yet. */
    boolean begins;

    @Nullable
    ToolTaskSpawned spec;

    @Nullable
    Long spawnedAtMs;

    Phase phase = Phase.ABSENT;

    @Nullable
    Ending ending;

    @Nullable
    Long startedAtMs;

    @Nullable
    Long endedAtMs;

    /** Whether what the row says of a start is of an earlier run. */
    boolean newRun;

    @Nullable
    ToolTaskStatus toldEnd;

    TaskChange(long streamNo) {
        this.streamNo = streamNo;
    }

    /** Whether frames of this type change a row. Asked of every frame: nearly all are output, which does not. */
    static boolean concerns(int type) {
        return type == FrameType.TOOL_TASK_SPAWNED.code()
                || type == FrameType.TOOL_TASK_STATUS.code()
                || type == FrameType.TOOL_TASK_CANCEL_REQUESTED.code()
                || type == FrameType.TASK_RUN_STARTED.code();
    }

    void add(long seq, long timestampMs, FrameBody body) {
        if (body instanceof ToolTaskSpawned spawned) {
            begins = true;
            spec = spawned;
            spawnedAtMs = timestampMs;
            become(Phase.QUEUED, null);
        } else if (body instanceof ToolTaskStatus status) {
            // A refused spawn leaves a status and nothing else.
            begins |= seq == 0;
            become(status.phase(), status);
        } else if (body instanceof ToolTaskCancelRequested) {
            become(Phase.STOPPING, null);
        } else if (body instanceof TaskRunStarted) {
            newRun = true;
            startedAtMs = null;
            become(Phase.QUEUED, null);
        }
    }

    private void become(Phase to, @Nullable ToolTaskStatus status) {
        phase = to;
        ending = status == null ? null : status.ending();
        endedAtMs = status == null ? null : status.endedAtMs();
        toldEnd = ending == null ? null : status;
        if (status != null && status.startedAtMs() != null) {
            startedAtMs = status.startedAtMs();
        }
    }
}
