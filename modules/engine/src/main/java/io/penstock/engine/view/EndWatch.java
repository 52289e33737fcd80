package io.penstock.engine.view;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Handler;
import org.jspecify.annotations.Nullable;

/** Waits for a task's end on behalf of a viewer that is sent nothing until then. Lives on its session's context. */
final class EndWatch {

    private final Runnable ended;
    private @Nullable FrameFollower follower;
    private boolean cancelled;

    /** @param ended called once, unless the watch is cancelled before */
    EndWatch(Runnable ended) {
        this.ended = ended;
    }

    /** @param known a state of the task, which may have ended already */
    void start(String taskId, TaskState known, ViewSession.Source source, Handler<Throwable> failed) {
        if (cancelled) {
            return;
        }
        if (known.run().ending() != null) {
            end();
            return;
        }
        FrameFollower frames = source.follow(taskId, known.nextSeq());
        follower = frames;
        frames.exceptionHandler(failed);
        frames.handler(frame -> {
            if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                end();
            }
        });
    }

    private void end() {
        if (!cancelled) {
            cancel();
            ended.run();
        }
    }

    void cancel() {
        cancelled = true;
        if (follower != null) {
            follower.cancel();
            follower = null;
        }
    }
}
