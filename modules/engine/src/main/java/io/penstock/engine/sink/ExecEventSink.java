package io.penstock.engine.sink;

import io.penstock.frames.TaskFrame;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens to tasks, beside the mailboxes of their sessions. Its methods are called one after the other on a thread of its
 * own, so they may block; what a slow sink is not told in time is counted. An exception is logged, and the next event follows.
 */
public interface ExecEventSink {

    /**
     * Something that happened to a task.
     *
     * @param sessionId the session that asked for the task; null if none did
     * @param seq the frame of the task that records it
     * @param snippet the end of the task's output up to this frame, of a match up to the frame that completed it, at most {@link io.penstock.frames.Limits#SNIPPET_CHARS} characters;
     *     null if it was removed, or the task was refused
     */
    record Event<B extends TaskFrame>(
            String taskId,
            @Nullable String sessionId,
            long seq,
            long timestampMs,
            B body,
            @Nullable String snippet) {}

    /** The status of a task has changed. */
    default void statusChanged(Event<ToolTaskStatus> event) {}

    /** A watcher has matched. */
    default void watcherHit(Event<TaskWatcherHit> event) {}

    /** A task has written. If it writes faster than the sink is called, the event stands for all output up to it. */
    default void output(Event<ToolTaskOutputDelta> event) {}

    /** So many events were left out before the next one, because the sink is too slow. */
    default void missed(long events) {}
}
