package io.penstock.server.tools.agents;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.util.function.Predicate;

/** Reads frames of a task from the end backwards, a bounded number of them. */
final class NewestFrames {

    /** Windows are small, because a frame may have a text of 128 KiB. */
    private static final int WINDOW_FRAMES = Limits.PAGE_FRAMES / 10;

    private final TaskApi tasks;
    private final SessionTask task;
    private final Predicate<Frame> more;
    private final long leastSeq;
    private long end;
    private boolean enough;

    private NewestFrames(TaskApi tasks, SessionTask task, Predicate<Frame> more) {
        this.tasks = tasks;
        this.task = task;
        this.more = more;
        this.end = task.state().nextSeq();
        this.leastSeq = Math.max(0, end - TaskToolLimits.SEARCHED_FRAMES);
    }

    /** @param more is given each frame, the newest first, and says whether it wants the one before */
    static Future<Void> read(TaskApi tasks, SessionTask task, Predicate<Frame> more) {
        return AsyncLoop.of(new NewestFrames(tasks, task, more)::window);
    }

    private Future<Boolean> window() {
        long from = Math.max(leastSeq, end - WINDOW_FRAMES);
        if (enough || from >= end) {
            return Future.succeededFuture(false);
        }
        return tasks.range(task.taskId(), from, end).map(frames -> {
            for (Frame frame : frames.reversed()) {
                enough = enough || !more.test(frame);
            }
            end = from;
            return !frames.isEmpty();
        });
    }
}
