package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;

/** Waits until a task has ended or the time is up, whichever is first, and answers with its state then. */
final class EndWait {

    private final Promise<TaskState> answer = Promise.promise();
    private TaskState state;

    private EndWait(TaskState state) {
        this.state = state;
    }

    static Future<TaskState> forEnd(RoutingContext request, TaskApi tasks, String taskId, TaskState now, long waitMs) {
        if (waitMs == 0 || now.run().ending() != null) {
            return Future.succeededFuture(now);
        }
        return new EndWait(now).begin(request, tasks.follow(taskId, now.nextSeq()), waitMs);
    }

    private Future<TaskState> begin(RoutingContext request, FrameFollower follower, long waitMs) {
        long timer = request.vertx().setTimer(waitMs, up -> answer.tryComplete(state));
        request.response().closeHandler(gone -> answer.tryComplete(state));
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
            if (state.run().ending() != null) {
                answer.tryComplete(state);
            }
        } catch (RuntimeException e) {
            answer.tryFail(e);
        }
    }
}
