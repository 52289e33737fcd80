package io.penstock.server.ws;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.view.FollowRange;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * What a viewer is not shown: of a terminal the output while nobody sees it, and before a screen that stands for it; of other tasks
 * nothing at all while nobody sees it, until they end. Lives on the viewer's context.
 */
final class SkippedOutput {

    private final ViewerContext steps;
    private final TaskApi tasks;
    private final FollowRange following;
    private final Runnable endsWhileHidden;
    private final boolean terminal;
    private boolean hidden;
    private long from = -1;
    private @Nullable RenderedScreen screen;
    private @Nullable FrameFollower untilEnd;

    /** @param endsWhileHidden run when a task without a terminal has ended, and all of it is to be shown though nobody sees it */
    SkippedOutput(ViewerContext steps, TaskApi tasks, FollowRange following, Runnable endsWhileHidden) {
        this.steps = steps;
        this.tasks = tasks;
        this.following = following;
        this.endsWhileHidden = endsWhileHidden;
        ToolTaskSpawned spec = following.known().spec();
        this.terminal = spec != null && spec.executionMode() == ExecutionMode.PTY;
    }

    /** Nobody sees it any more. */
    void hide() {
        if (!hidden) {
            hidden = true;
            if (!terminal) {
                awaitEnd();
            }
        }
    }

    /** Somebody sees it again. */
    void show() {
        stop();
    }

    /** Nothing more is waited for. */
    void stop() {
        hidden = false;
        if (untilEnd != null) {
            untilEnd.cancel();
            untilEnd = null;
        }
    }

    /** Whether nothing at all is shown. */
    boolean isAll() {
        return hidden && !terminal;
    }

    /** Asked of each frame, in order. */
    boolean wants(Frame frame) {
        if (!(frame.body() instanceof ToolTaskOutputDelta) || !hidden && screen == null) {
            return true;
        }
        if (from < 0) {
            from = frame.seq();
        }
        return false;
    }

    /** The first frame that was left out and no screen stands for yet; -1 if there is none. */
    long from() {
        return from;
    }

    /** From here to the screen's frame output is left out, and then it is shown. */
    void until(RenderedScreen screen) {
        this.screen = screen;
    }

    /** Whether a screen is to be made for what was left out. */
    boolean isDue() {
        return !hidden && from >= 0 && screen == null;
    }

    boolean isHidden() {
        return hidden;
    }

    /** What is to be shown for the output that is left out, if it has been made. */
    @Nullable
    RenderedScreen screen() {
        return screen;
    }

    /** The screen is shown. */
    void clear() {
        screen = null;
        from = -1;
    }

    private void awaitEnd() {
        steps.after(tasks.state(following.taskId()), asked -> {
            if (!hidden || untilEnd != null) {
                return;
            }
            // Where its state cannot be read now, its frames tell the end as soon as they can.
            TaskState now = asked.succeeded() ? asked.result() : following.known();
            if (now.run().ending() != null) {
                endsWhileHidden.run();
                return;
            }
            FrameFollower follower = tasks.follow(following.taskId(), now.nextSeq());
            untilEnd = follower;
            follower.exceptionHandler(steps::failed);
            follower.handler(frame -> {
                if (follower == untilEnd && frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                    endsWhileHidden.run();
                }
            });
        });
    }
}
