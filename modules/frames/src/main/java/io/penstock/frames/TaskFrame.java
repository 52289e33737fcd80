package io.penstock.frames;

/** An event of a task. The names are the public contract. */
public sealed interface TaskFrame extends FrameBody
        permits ToolTaskSpawned,
                ToolTaskStatus,
                ToolTaskOutputDelta,
                ToolTaskStdinWritten,
                ToolTaskResized,
                ToolTaskSignalled,
                ToolTaskCancelRequested,
                ToolTaskCancelled,
                ArtifactWritten,
                TaskPolicyVerdict,
                TaskQueued,
                TaskWatcherHit,
                TaskTurnStarted,
                TaskTurnSettled,
                TaskUsage,
                TaskRunStarted,
                TaskScreenKeyframe,
                TaskNotice,
                TaskCleared,
                ToolTaskOutputGap,
                TaskWatcherAdded,
                TaskPinned {}
