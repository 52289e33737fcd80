package io.penstock.engine.view;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;

/**
 * From where to where somebody follows a task, whichever way its frames are sent.
 *
 * @param known the task's state when that was asked for
 * @param fromSeq the first frame that is wanted
 * @param untilEnd whether to stop after the frame that tells the end
 */
public record FollowRange(String taskId, TaskState known, long fromSeq, boolean untilEnd) {

    public FollowRange {
        if (fromSeq > known.nextSeq()) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + taskId + " has no frame " + (fromSeq - 1) + " to go on after; its next is "
                            + known.nextSeq());
        }
    }

    /** Whether the task had not ended: then what it writes beyond what is stored is shown too. History stays the same for all who ask later. */
    public boolean isLive() {
        return known.run().ending() == null;
    }

    /** Whether there is nothing to send at all. */
    public boolean isOver() {
        return untilEnd && known.run().ending() != null && fromSeq == known.nextSeq();
    }

    /** Whether nothing is sent after it. An end that is history already need not be the last: a later run may have begun. */
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
