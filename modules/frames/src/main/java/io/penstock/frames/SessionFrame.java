package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** An event of a session. */
public sealed interface SessionFrame extends FrameBody
        permits ToolStdout,
                ToolStderr,
                ToolEnded,
                SessionStarted,
                SessionTaskStarted,
                SessionWatcherHit,
                SessionAcknowledged,
                SessionEnded,
                SessionWebhookSet,
                SessionWebhookDelivery,
                SessionTaskEnded {

    /** The session's counters after this frame; null in the forms of a task's output, and in ends of the first version. */
    @Nullable
    SessionProgress progress();

    static void requireTask(StreamId task) {
        if (task.kind() != StreamKind.TASK) {
            throw new IllegalArgumentException("this session frame is about a task, not about " + task);
        }
    }
}
