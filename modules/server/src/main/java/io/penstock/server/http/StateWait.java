package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Predicate;

/**
 * Waits until a task's state meets a condition, or until the time is up, and returns the state then. It follows the frames from the
 * first one after the given state, so it misses none.
 */
final class StateWait {

    private final Predicate<TaskState> enough;
    private final Promise<TaskState> answer = Promise.promise();
    private TaskState state;

    private StateWait(TaskState state, Predicate<TaskState> enough) {
        this.state = state;
        this.enough = enough;
    }

    /** Call it on the request's context. */
    static Future<TaskState> until(
            RoutingContext request,
            TaskApi tasks,
            String taskId,
            TaskState now,
            long waitMs,
            Predicate<TaskState> enough) {
        if (waitMs == 0 || enough.test(now)) {
            return Future.succeededFuture(now);
        }
        return new StateWait(now, enough).start(request, tasks.follow(taskId, now.nextSeq()), waitMs);
    }

    private Future<TaskState> start(RoutingContext request, FrameFollower follower, long waitMs) {
        long timer = request.vertx().setTimer(waitMs, up -> answer.tryComplete(state));
        request.addEndHandler(gone -> answer.tryComplete(state));
        follower.exceptionHandler(answer::tryFail);
        follower.endHandler(closed -> answer.tryComplete(state));
        follower.handler(this::see);
        return answer.future().onComplete(done -> {
            request.vertx().cancelTimer(timer);
            follower.cancel();
        });
    }

    private void see(Frame frame) {
        try {
            state = state.after(frame);
            if (enough.test(state)) {
                answer.tryComplete(state);
            }
        } catch (RuntimeException e) {
            answer.tryFail(e);
        }
    }
}
