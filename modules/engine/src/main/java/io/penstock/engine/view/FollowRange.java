package io.penstock.engine.view;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;

/**
 * The range of a task's frames that a viewer is sent.
 *
 * @param known the task's state when the viewer asked
 * @param fromSeq the first frame of the range
 * @param untilEnd whether the range ends with the frame that records the task's end
 */
public record FollowRange(String taskId, TaskState known, long fromSeq, boolean untilEnd) {

    public FollowRange {
        if (fromSeq > known.nextSeq()) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + taskId + " has no frame " + (fromSeq - 1) + " to continue after; its next is "
                            + known.nextSeq());
        }
    }

    /** Whether the task had not ended; then output that is not stored is sent too. History is the same for all later viewers. */
    public boolean isLive() {
        return known.run().ending() == null;
    }

    /** Whether the range is empty and stays so. */
    public boolean isOver() {
        return untilEnd && known.run().ending() != null && fromSeq == known.nextSeq();
    }

    /** Whether this is the last frame of the range. An end in the history need not be: a later run may have begun. */
    public boolean endsWith(Frame frame) {
        if (!untilEnd) {
            return false;
        }
        return known.run().ending() != null
                ? frame.seq() >= known.nextSeq() - 1
                : frame.seq() >= known.nextSeq()
                        && frame.body() instanceof ToolTaskStatus status
                        && status.ending() != null;
    }
}
